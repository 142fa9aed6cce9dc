import shutil

from mmrole.jobs import doctor


def by_name(findings):
    return {finding.what: finding for finding in findings}


def test_a_working_installation_is_found_to_work(model_files, tmp_path):
    found = by_name(doctor.examine(out=tmp_path))
    for name in (
        "mmrole",
        "python",
        "av",
        "numpy",
        "praat-parselmouth",
        "decoders",
        "model face_landmarker.task",
        "free disk",
    ):
        assert found[name].ok, found[name]


def test_missing_model_files_say_what_to_do(tmp_path):
    found = by_name(doctor.examine(out=tmp_path, models=tmp_path / "none"))
    model = found["model pose_landmarker_full.task"]
    assert not model.ok
    assert not model.optional
    assert model.advice == "run `mmrole models fetch`"


def test_a_missing_package_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "_NEEDED", ("no-such-distribution",))
    found = by_name(doctor.examine(out=tmp_path))["no-such-distribution"]
    assert (found.ok, found.optional, found.advice) == (False, False, "pip install no-such-distribution")


def test_a_full_disk_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 10, 10))
    assert not by_name(doctor.examine(out=tmp_path / "not" / "there" / "yet"))["free disk"].ok


def test_endpoints_are_tried_on_demand_and_each_has_its_line(tmp_path):
    config = tmp_path / "mmrole.toml"
    config.write_text('[endpoints.dead]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n', "utf-8")
    [finding] = doctor.try_endpoints(config)
    assert finding.what == "endpoint dead"
    assert not finding.ok
    assert "127.0.0.1:9" in finding.found
    assert "\n" not in finding.found
