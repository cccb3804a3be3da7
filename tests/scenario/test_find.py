"""What a person types becomes files: paths, folders, names of shipped scenarios."""

import os
from pathlib import Path

import pytest

from sim.scenario.errors import ScenarioError
from sim.scenario.find import find, shipped, shipped_folder


def test_a_shipped_scenario_is_found_by_its_name() -> None:
    (path,) = find(["lost-ack"])

    assert Path(path).parts[-2:] == ("recovery", "lost-ack.yaml")


def test_a_shipped_folder_is_found_by_its_name() -> None:
    assert find(["lost-ack"])[0] in find(["recovery"])


def test_one_name_stands_for_all_that_is_shipped() -> None:
    found = [Path(path).resolve() for path in find(["shipped"])]

    assert found == [Path(path) for path in find([shipped_folder()])]


def test_names_of_shipped_scenarios_are_unique() -> None:
    files = find([shipped_folder()])

    assert len(shipped()) == len(files)


def test_a_folder_means_every_scenario_below_it_in_order(tmp_path) -> None:
    for name in ("b.yaml", "a/z.yml", "a/y.yaml", ".hidden/x.yaml", "a/notes.txt", "a/.x.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("title: x", encoding="utf-8")

    found = [Path(path).relative_to(tmp_path).as_posix() for path in find([str(tmp_path)])]
    assert found == ["b.yaml", "a/y.yaml", "a/z.yml"]


def test_each_file_is_found_once_in_the_order_asked(tmp_path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text("title: x", encoding="utf-8")
    b = str(tmp_path / "b.yaml")

    assert find([b, str(tmp_path), b]) == [b, str(tmp_path / "a.yaml")]


def test_a_file_on_disk_wins_over_a_shipped_name(tmp_path, monkeypatch) -> None:
    (tmp_path / "lost-ack").write_text("title: mine", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert find(["lost-ack"]) == ["lost-ack"]


@pytest.mark.parametrize(
    ("path", "problem", "fix"),
    [
        ("lost-akc", "no such file, folder or shipped scenario", "did you mean 'lost-ack'?"),
        ("lost", "no such file, folder or shipped scenario", "'lost-ack'"),
        ("crashs", "no such file, folder or shipped scenario", "did you mean 'crashes'"),
        ("nowhere/qq.yaml", "no such file or folder", "'lostack list' shows them"),
        ("", "no scenario is named", "'shipped' stands for them all"),
        ("../lost-ack", "no such file or folder", "lost-ack"),
        ("a\0b", "no such file", "'lostack list' shows them"),
        ("x" * 5000, "no such file", "'lostack list' shows them"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_suggestion(
    path, problem, fix, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ScenarioError) as caught:
        find([path])

    assert problem in caught.value.problem
    assert fix in caught.value.fix


def test_a_shipped_scenario_is_found_with_its_folder_too() -> None:
    assert find(["recovery/lost-ack"]) == find(["recovery/lost-ack.yaml"]) == find(["lost-ack"])


def test_a_file_that_only_lacks_its_ending_is_suggested(tmp_path, monkeypatch) -> None:
    (tmp_path / "my-save.yaml").write_text("title: mine", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ScenarioError, match=r"did you mean 'my-save\.yaml'"):
        find(["my-save"])


def test_a_link_that_leads_nowhere_is_called_one(tmp_path) -> None:
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (tmp_path / "other.yaml").write_text("title: x", encoding="utf-8")

    with pytest.raises(ScenarioError) as caught:
        find([str(tmp_path / "gone.yaml")])

    assert caught.value.problem == "this link leads to nothing"
    assert "mend the link" in caught.value.fix


def test_a_folder_that_cannot_be_read_is_refused_and_not_passed_over(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.yaml").write_text("title: x", encoding="utf-8")
    (tmp_path / "secret").mkdir()
    scan = os.scandir

    def scandir(path):
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(ScenarioError, match="secret: this folder cannot be read: permission den"):
        find([str(tmp_path)])


def test_a_folder_without_a_scenario_is_refused(tmp_path) -> None:
    with pytest.raises(ScenarioError, match="no scenario in this folder"):
        find([str(tmp_path)])
