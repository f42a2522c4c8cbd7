"""Taking memoire out of a project whose daemon runs."""

from pathlib import Path

import pytest

from memoire import launch, paths, setup
from memoire.errors import NotInitializedError
from memoire.sdk import Memoire
from tests.daemon_places import BOUND_S, new_place
from tests.fake_memoire import daemon_command


@pytest.mark.parametrize("purge", [False, True])
def test_the_daemon_is_stopped_and_not_started_again(purge: bool) -> None:
    with new_place() as place:
        (Path(place.root) / ".memoire" / "config.toml").unlink()
        setup.init(place.root)
        launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
        project = Memoire(place.root)
        assert project.is_running()
        actions = setup.uninstall(place.root, purge=purge)
        assert actions[-1].state == ("removed" if purge else "unchanged")
        assert place.state.exists() is not purge
        assert not launch.is_running(place.root)
        assert list(Path(place.root).iterdir()) == []
        with pytest.raises(NotInitializedError):
            Memoire(place.root)


def test_setting_up_again_after_a_purge_begins_anew() -> None:
    with new_place() as place:
        setup.init(place.root)
        setup.uninstall(place.root, purge=True)
        setup.init(place.root)
        assert Path(paths.state_dir(place.root)) == place.state
        launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
        assert Memoire(place.root).status()["state"] == "ready"
        assert launch.stop_daemon(place.root)
