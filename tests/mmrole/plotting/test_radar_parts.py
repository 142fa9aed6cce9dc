import numpy as np

from mmrole.plotting.radar_parts import Wheel, spokes_of


def test_spokes_start_upwards_and_go_clockwise_on_a_sheet_whose_y_goes_down():
    np.testing.assert_allclose(spokes_of(4), [[0, -1], [1, 0], [0, 1], [-1, 0]], atol=1e-12)


def test_points_of_scores():
    wheel = Wheel(middle=(2.0, 3.0), radius_in=1.0, low=0, high=10, spokes=spokes_of(4), scale=1.0)
    got = wheel.points(np.array([10, 5, 0, np.nan]))
    np.testing.assert_allclose(got, [[2, 2], [2.5, 3], [2, 3], [np.nan, np.nan]], atol=1e-12)
    np.testing.assert_allclose(wheel.towards(np.pi / 2, 0.5), [2.5, 3.0])
