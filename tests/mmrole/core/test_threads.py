import numpy as np
from threadpoolctl import threadpool_info

from mmrole.core.threads import one_blas_thread


def threads():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_meanwhile_and_as_before_afterwards():
    before = threads()
    assert before  # numpy's own library is found
    with one_blas_thread():
        assert set(threads()) == {1}
    assert threads() == before
