"""The command `eschaton`: play, watch, replay, verify. The toolkit is imported only when a window is needed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App as Commands, Parameter

from client.app.clip_command import ClipOrder, export
from client.app.link_handover import LinkDoor, hand_over
from client.app.link_install import install_links
from client.errors import BadAddress, BadProfile, CannotPlay, NoLocalServer, NoWindow
from client.net.address import Address, parse_address
from client.storage.damaged_profile import open_profile
from client.storage.profile import UserProfile, profile_path
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from protocol.child_commands import child_command
from protocol.game_links import read_link
from protocol.proof.signed_texts import KEY_BYTES

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App
    from client.model.arrival_plan import ArrivalPlan
    from client.model.replay.replay_player import ReplayPlayer
    from client.storage.fault_reports import FaultReports
    from protocol.game_links import GameLink

commands = Commands(
    name="eschaton",
    help="Play remote tabletop skirmish wargames.",
    version=lambda: version("eschaton"),
    help_epilogue="In the window, F1 shows all keys.",
)

WRONG = 2
FAILED = 1
CHECKOUT = Path(__file__).resolve().parents[2]
"""Where the demo lies, in a checkout of the repository."""
MOST_STARTS = 100
"""Faults in the toolkit's own loop, outside of all events, after which it is not entered again."""

ProfileName = Annotated[str, Parameter(help="Who plays: each profile is a person of its own.")]


InText = Annotated[
    bool, Parameter(negative=(), help="In plain text, one line after another, for screen readers, terminals and pipes.")
]


def fail(sentence: str, code: int = WRONG) -> int:
    """Say a sentence on the error stream, or in a box where there is none, and return the exit code."""
    if sys.platform == "win32" and sys.stderr is None:  # a program that was started without a console
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, sentence, phrase("connect.title"), 0x10)
    else:
        print(sentence, file=sys.stderr)
    return code


@commands.default
def begin(*, profile: ProfileName = "default") -> int:
    """Open the window at its first screen: play on this computer, or join a friend's server."""
    return _open("", profile, quick=False)


@commands.command
def play(
    address: Annotated[str, Parameter(help="HOST or HOST:PORT of a server. Without it: this computer's own.")] = "",
    code: Annotated[str, Parameter(help="Code of a table to join, or of a replay to see.")] = "",
    act: Annotated[int, Parameter(help="Number of an act of that replay, to begin there.")] = 0,
    *,
    profile: ProfileName = "default",
    text: InText = False,
) -> int:
    """Open the window: at a server's lobby, at a table or a replay by its code, or, without an address, at a match on
    this computer (the one that was running, else a new one against bots)."""
    if text:
        return _play_in_text(address, profile, join=code)
    return _open(address, profile, join=code, act=act)


@commands.command(name="open")
def open_link(
    link: Annotated[str, Parameter(help="eschaton://HOST[:PORT]/CODE[/ACT]")],
    /,
    *,
    profile: ProfileName = "default",
) -> int:
    """Follow a link to a table or a replay, in the window that is open already where there is one. A server that you do
    not know is asked about first."""
    found = read_link(link)
    if found is None:
        return fail(phrase("link.bad"))
    try:
        if hand_over(profile_path(profile).parent, profile, found):
            return 0
    except BadProfile as bad:
        return fail(str(bad))
    return _open("", profile, link=found)


@commands.command
def watch(
    address: Annotated[str, Parameter(help="HOST or HOST:PORT of a server.")],
    table: Annotated[str, Parameter(help="Invite code or id of the table.")],
    *,
    profile: ProfileName = "default",
    text: InText = False,
) -> int:
    """Watch a match as a spectator."""
    if text:
        return _play_in_text(address, profile, watching=table)
    return _open(address, profile, watching=table)


@commands.command
def replay(
    file: Annotated[Path, Parameter(help="A .replay file.")],
    *,
    png: Annotated[
        Path | None, Parameter(help="Write a picture of the window to this file instead of opening it.")
    ] = None,
    at: Annotated[
        int | None,
        Parameter(help="The step to show; 0 is the beginning, else the last one. Of a clip: its first step."),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(name="--export", help="Write the board alone to this file: a .png, or a clip as .gif or .mp4."),
    ] = None,
    to: Annotated[int | None, Parameter(help="The last step of a clip.")] = None,
    speed: Annotated[float, Parameter(help="Speed of a clip: 0.5, 1, 2, 4 or 8.")] = 2.0,
    width: Annotated[int, Parameter(help="Pixels across of what is exported.")] = 960,
    eyes: Annotated[
        str, Parameter(help="Who sees what is exported: everybody, all (all seats), or 1, 2, ...")
    ] = "everybody",
    profile: ProfileName = "default",
) -> int:
    """Play a replay, make a picture of one of its steps, or export a clip."""
    from client.app.display import has_display
    from client.model.replay.replay_player import open_replay

    try:
        person, note = _profile_of(profile)
    except BadProfile as bad:
        return fail(str(bad))
    if note:
        print(note, file=sys.stderr)
    try:
        player = open_replay(file)
    except CannotPlay as cannot:
        return fail(str(cannot), FAILED)
    if at is not None and not 0 <= at <= player.last:
        return fail(f"--at {at}: this replay has the steps 0 to {player.last}.")
    if out is not None:
        return _export(player, ClipOrder(at, to, speed, width, eyes), out)
    if png is not None:
        return _replay_picture(player, player.last if at is None else at, png)
    if not has_display():
        return fail("There is no display to open a window on; --png or --export OUT makes a picture instead.", FAILED)
    try:
        app = _window(person)
    except NoWindow as no:
        return fail(str(no), FAILED)
    return _play_replay(app, person, profile, player, at or 0)


@commands.command
def verify(
    file: Annotated[Path, Parameter(help="A .replay file.")],
    *,
    receipts: Annotated[
        list[Path] | None, Parameter(help="A .receipts file, yours or another person's; may be given again.")
    ] = None,
    key: Annotated[str, Parameter(help="The host's key, 64 hexadecimal digits, where you know it otherwise.")] = "",
) -> int:
    """Check that the dice of a replay were fair, its record is whole, and that it is the one of which the host gave
    receipts: those that your profiles have kept, and those named. Exit code 0: all holds; 1: it does not; 2: it cannot
    be read or checked; 3: it holds, but another key has signed it than your receipts of the match, or than KEY."""
    from client.fairness.verify_command import check_file

    try:
        known = bytes.fromhex(key)
    except ValueError:
        known = b"?"
    if len(known) not in (0, KEY_BYTES):
        return fail(f"--key {key}: a host's key has {2 * KEY_BYTES} hexadecimal digits.")
    return check_file(file, receipts or [], key=known)


@commands.command(name="install-links")
def install() -> int:
    """Have links (eschaton://...) open in this program when you click them. For you alone, not for others on this
    computer."""
    try:
        print(install_links())
    except (OSError, subprocess.CalledProcessError) as error:
        return fail(phrase("install.failed", why=str(error)), FAILED)
    return 0


def _open(
    words: str,
    profile_name: str,
    join: str = "",
    watching: str = "",
    act: int = 0,
    *,
    quick: bool = True,
    link: GameLink | None = None,
) -> int:
    """Open the window at an address, or where a link leads; without both at a match on this computer where it is to be
    quick, else at the first screen."""
    from client.app.display import has_display

    try:
        profile, note = _profile_of(profile_name)
        address = parse_address(words) if words else None
    except (BadProfile, BadAddress) as bad:
        return fail(str(bad))
    if not has_display():
        return _without_display(words or link, phrase("window.none", why=phrase("window.none.no_display")))
    try:
        app = _window(profile)
    except NoWindow as no:
        return _without_display(words or link, str(no))
    from client.model.arrival_plan import ArrivalPlan

    plan = ArrivalPlan(join, act, watching, quick=quick and not words and link is None)
    return _play(app, profile, profile_name, address, plan, note, link)


def _profile_of(name: str) -> tuple[UserProfile, str]:
    """Read a profile, choose language and colours by it, and return with it what the person must be told. Raises
    BadProfile."""
    profile, note = open_profile(name)
    SPOKEN.choose(profile.language)
    theme.choose(profile.theme, profile.palette, profile.faces)
    return profile, note


def _play_in_text(words: str, profile_name: str, join: str = "", watching: str = "") -> int:
    """Play without a window."""
    from client.app.plain_play import play_in_text

    try:
        profile, note = open_profile(profile_name)
        SPOKEN.choose(profile.language)
        address = parse_address(words) if words else None
        return play_in_text(profile, profile_name, address, join, watching, note)
    except (BadProfile, BadAddress, NoLocalServer) as problem:
        return fail(str(problem))


def _without_display(place: str | GameLink | None, why: str) -> int:
    """Do without a window: fail where a place was given or this is no checkout, else show a demo match in the
    terminal."""
    if place or not (CHECKOUT / "tools" / "demo.py").exists():
        return fail(why, FAILED)
    print(why, phrase("window.demo"), flush=True)
    sys.path.append(str(CHECKOUT))
    return subprocess.run(child_command("tools.demo"), check=False).returncode


def _play(
    app: App,
    profile: UserProfile,
    profile_name: str,
    address: Address | None,
    plan: ArrivalPlan,
    note: str,
    link: GameLink | None,
) -> int:
    door = LinkDoor(profile_path(profile_name).parent, profile_name, app.call)
    with _navigating(app, profile, profile_name) as navigator:
        try:
            with contextlib.suppress(OSError):  # without a door each link opens a window of its own
                if door.open():
                    navigator.links.listen(door)
            with app.guarded("begin"):
                navigator.begin(address, plan, note)
                if link is not None:
                    navigator.links.visit(link)
            return run(app)
        finally:
            door.close()


def _play_replay(app: App, profile: UserProfile, profile_name: str, player: ReplayPlayer, step: int) -> int:
    """Show a replay, with the settings and keys of the profile, until the window is closed."""
    from client.views.board.replay_screen import ReplayScreen

    with _navigating(app, profile, profile_name):
        app.leave_all = app.close
        app.show(ReplayScreen(app, player, step))
        return run(app)


@contextlib.contextmanager
def _navigating(app: App, profile: UserProfile, profile_name: str) -> Iterator[Navigator]:
    """Give the navigator of a window, which is closed at the end and where the display is lost."""
    from client.app.display import on_display_loss
    from client.app.navigator import Navigator

    navigator = Navigator(app, profile, profile_name)

    def farewell() -> None:
        print(phrase("window.lost"), file=sys.stderr, flush=True)
        navigator.close()

    on_display_loss(farewell)
    try:
        yield navigator
    finally:
        navigator.close()


def _window(profile: UserProfile) -> App:
    """Open the window. Raises NoWindow."""
    from client.storage.fault_reports import FaultReports, reports_folder

    try:
        from client.app.icon import window_icons
        from client.app.window import App
        from client.app.window_place import all_screens, opening_place
        from client.draw.board.terrain.ground_worker import GroundWorker
        from client.ui.speaker import Speaker

        place = opening_place(profile.window, all_screens())
        app = App((place.width, place.height), profile.text_scale)
        app.placing.restore(place)
        app.scale_text(profile.text_scale)
        app.set_icon(*window_icons())
    except Exception as error:  # the toolkit raises whatever its libraries and the display make of it
        raise NoWindow(phrase("window.none", why=_why_no_window(error))) from error
    app.ground_worker = GroundWorker(app.call, app.want_frame)
    app.sounds.profile, app.sounds.output = profile, Speaker().play
    app.reports = reports = FaultReports(reports_folder(), hidden=lambda: profile.tokens.values())
    threading.excepthook = lambda fault: _write_beside(reports, fault)
    return app


def _write_beside(reports: FaultReports, fault: threading.ExceptHookArgs) -> None:
    """Report a fault that a thread beside the window raised."""
    if fault.exc_value is not None:
        reports.write(fault.exc_value, fault.thread.name if fault.thread is not None else "thread")


def _why_no_window(error: Exception) -> str:
    match type(error).__name__:
        case "NoSuchDisplayException":
            return phrase("window.none.display", name=os.environ.get("DISPLAY", ""))
        case "NoOpenGLException" | "ContextException" | "NoSuchConfigException" | "MissingFunctionException":
            return phrase("window.none.opengl")
        case _:
            return str(error).strip().rstrip(".") or type(error).__name__


def run(app: App) -> int:
    """Run the window's loop until it is closed or a signal ends it; return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        for _ in range(MOST_STARTS):
            with app.guarded("loop"):
                app.run()
                return FAILED if app.failed else 0
    return FAILED if app.failed else 0


def _export(player: ReplayPlayer, order: ClipOrder, path: Path) -> int:
    try:
        print(export(player, order, path))
    except CannotPlay as cannot:
        return fail(str(cannot), FAILED)
    return 0


def _replay_picture(player: ReplayPlayer, step: int, path: Path) -> int:
    from client.app.picture import replay_picture

    try:
        replay_picture(player, step, path)
    except OSError as error:
        return fail(f"{path}: {error.strerror or 'cannot be written'}.", FAILED)
    except RuntimeError as error:
        return fail(str(error), FAILED)
    print(f"Step {step} of {player.last}: {path}")
    return 0


def main() -> None:
    """Run the command and exit with its code."""
    sys.exit(commands())


if __name__ == "__main__":
    main()
