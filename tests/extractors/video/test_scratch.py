import threading

from extractors.video.scratch import scratch


def test_same_name_and_shape_same_memory():
    assert scratch("a", (3, 4)) is scratch("a", (3, 4))
    assert scratch("a", (3, 4)) is not scratch("b", (3, 4))
    assert scratch("a", (4, 3)).shape == (4, 3)
    assert scratch("a", (3, 4)).dtype == "float32"


def test_threads_do_not_share():
    others = []
    thread = threading.Thread(target=lambda: others.append(scratch("a", (3, 4))))
    thread.start()
    thread.join()
    assert others[0] is not scratch("a", (3, 4))
