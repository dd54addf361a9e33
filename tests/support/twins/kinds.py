"""The kinds of twins of a play: their difference, and the viewers who may not know it. Each gives how many frames it
compared, 0 where this play has no such twin, and raises Told where a viewer was told the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from msgspec.structs import replace

from engine.core.bots.bot import Picture, run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.view.asides import NO_ORDER, SETTINGS
from protocol.ids import PromptId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from tests.support.proving.state import HOMES
from tests.support.twins.chances import OtherFuture
from tests.support.twins.directing import WHISPERER, partner_of
from tests.support.twins.games import OWNER, Game
from tests.support.twins.playing import Planting, Played, again, all_but, play, same, soundly, with_allies
from tests.support.twins.stage import PEOPLE, Act, Say, Stage, replay

if TYPE_CHECKING:
    from engine.core.bots.bot import BotView

TRIES: Final = 10
MOMENT: Final = "before-test"
"""The moment of the proving game."""
OWNER_NAME: Final = PEOPLE[OWNER]


def other_future(game: Game, one: Played, seed: int, planting: Planting = soundly) -> int:
    """Compare with other rolls and draws after the end, which no viewer may know."""
    other = again(game, one.acts, lambda dice: OtherFuture(dice, one.past, 1 + seed % 5), planting)
    assert other.past == one.past, "the future was not the future"
    return same(one, other, all_but(one))


def other_secrets(game: Game, one: Played, seed: int, planting: Planting = soundly) -> int:
    """Compare with other secrets: only seats whose own are others may know."""
    if game.other_secrets is None:
        return 0
    other = again(game, one.acts, game.other_secrets(seed), planting)
    changed = [seat for seat, (a, b) in enumerate(zip(one.known, other.known, strict=True)) if a != b]
    assert changed, "the secrets are the same"
    return same(one, other, all_but(one, with_allies(one, changed)))


def other_whispers(game: Game, one: Played, planting: Planting = soundly) -> int:
    """Compare with other and more whispers and agreements of two seats: only they may know."""
    acts = list(_whispered_otherwise(one.acts))
    if len(acts) == len(one.acts):
        return 0
    return same(one, again(game, acts, planting=planting), all_but(one, (OWNER, partner_of(len(one.known)))))


def _whispered_otherwise(acts: Sequence[Act]) -> Iterator[Act]:
    for act in acts:
        match act:
            case Say(who, say.Chat(text, int() as to)):
                yield Say(who, say.Chat(f"{text} Tell nobody, and least of all those who listen.", to))
                yield Say(PEOPLE[to], say.Chat("Yes.", PEOPLE.index(who)))
            case Say(who, say.Offer(open=False) as offer):
                yield Say(who, replace(offer, kind="leave", text="Go away from here, all of you, or else."))
            case Say(who, say.AnswerOffer(yes=yes) as answer):
                yield Say(who, replace(answer, yes=not yes))
            case _:
                yield act


def other_side_words(game: Game, one: Played, planting: Planting = soundly) -> int:
    """Compare with other and more words to the speaker's side: only its people may know, and nobody without allies."""
    acts = list(_said_otherwise_to_a_side(one.acts))
    if len(acts) == len(one.acts):
        return 0
    speaker = PEOPLE.index(WHISPERER)
    return same(one, again(game, acts, planting=planting), all_but(one, with_allies(one, (speaker,))))


def _said_otherwise_to_a_side(acts: Sequence[Act]) -> Iterator[Act]:
    for act in acts:
        match act:
            case Say(who, say.Chat(text, where="side")):
                yield Say(who, say.Chat(f"{text} Let nobody else hear of it.", where="side"))
                yield Say(who, say.Chat("And wait for my sign.", where="side"))
            case _:
                yield act


# Sealed answers


class Answer(NamedTuple):
    """A sealed answer of `seat`: the act of the play, and the number of acts until the question closed. Before that
    others cannot see its content, nor that it was given."""

    at: int
    seat: int
    end: int
    intent: say.Intent


def sealed_answers(one: Played) -> Iterator[Answer]:
    """Return all sealed answers that did not close their question."""
    for at, act in enumerate(one.acts):
        if not at or not isinstance(act, Say) or not isinstance(act.message, say.Intent):
            continue
        (before, answered), (after, answers) = one.questions[at - 1 : at + 1]
        if before == after >= 0 and answers > answered:
            end = next((n for n in range(at, len(one.acts)) if one.questions[n][0] != after), len(one.acts))
            yield Answer(at, PEOPLE.index(act.who), end, act.message)


def other_answer(game: Game, one: Played, answer: Answer, seed: int) -> int:
    """Compare with another sealed answer, which only its seat may know until the question closes. There is no such twin
    without another possible answer."""
    others: list[Reply] = []

    async def script(stage: Stage) -> Sequence[Act]:
        await replay(stage, one.acts[: answer.at])
        reply = _another_reply(stage, answer, seed)
        if reply is not None:
            others.append(reply)
            # one act in the place of one: the marks of both plays stand at the same acts
            await stage.do(Say(PEOPLE[answer.seat], _with(answer.intent, reply)))
            await replay(stage, one.acts[answer.at + 1 : answer.end])
        return one.acts[: answer.end]

    other = play(game, script)
    if not others or other.questions[answer.at] != one.questions[answer.at]:
        return 0
    return same(one, other, all_but(one, (answer.seat,)), answer.end)


def _another_reply(stage: Stage, answer: Answer, seed: int) -> Reply | None:
    prompt, given = stage.players[answer.seat].prompt, answer.intent
    assert prompt is not None
    for n in range(TRIES):
        # no choice of these games' questions has a field that is lazy
        view = Picture(answer.seat, {}, prompt)
        reply = run_inline(RandomBot(seed + n).decide(cast("BotView", view)))
        if (reply.choice, dict(reply.fields)) != (given.choice, given.fields):
            return reply
    return None


def _with(intent: say.Intent, reply: Reply) -> say.Intent:
    return say.Intent(intent.id, intent.prompt, reply.choice, dict(reply.fields))  # type: ignore[arg-type]


def no_answer(game: Game, one: Played, answer: Answer, planting: Planting = soundly) -> int:
    """Compare without a sealed answer, which only its seat may know while the question is open in both."""
    acts = list(one.acts[: answer.end])
    acts[answer.at] = Say(PEOPLE[answer.seat], say.Ping(1))
    return same(one, again(game, acts, planting=planting), all_but(one, (answer.seat,)), answer.end)


def other_place(game: Game, one: Played, seed: int) -> int:
    """Compare with another hiding place of a unit, which only its side may know until it is found."""
    if game.elsewhere is not None:
        return _hidden_elsewhere(game, one)
    if game.system != "proving":
        return 0
    answer = next((a for a in sealed_answers(one) if a.seat == OWNER and a.intent.choice == "hide"), None)
    if answer is None:
        return 0
    at, here = answer.at, answer.intent.fields["cell"]
    cells = [list(cell) for cell in HOMES[OWNER][2:] if list(cell) != here]
    there = Say(OWNER_NAME, replace(answer.intent, fields={"cell": cells[seed % len(cells)]}))
    other = again(game, [*one.acts[:at], there, *one.acts[at + 1 :]])
    if not all(_hides(played) for played in (one, other)):
        return 0
    assert one.known[OWNER] != other.known[OWNER], "it hides in the same place"
    return same(one, other, all_but(one, with_allies(one, (OWNER,))))


def _hidden_elsewhere(game: Game, one: Played) -> int:
    """Compare with another hiding place in the last intent that hides a unit, if it hides to the end."""
    acts = [act.message if isinstance(act, Say) and act.who == OWNER_NAME else None for act in one.acts]
    hides = [(at, said) for at, said in enumerate(acts) if isinstance(said, say.Intent) and said.choice == "hide"]
    if not hides or not one.known[OWNER]:
        return 0
    at, said = hides[-1]

    async def script(stage: Stage) -> Sequence[Act]:
        await replay(stage, one.acts[:at])
        assert game.elsewhere is not None
        await stage.do(Say(OWNER_NAME, game.elsewhere(stage.match, OWNER, said)))
        await replay(stage, one.acts[at + 1 :])
        return one.acts

    other = play(game, script)
    if not other.known[OWNER]:
        return 0
    assert one.known[OWNER] != other.known[OWNER], "it hides in the same place"
    return same(one, other, all_but(one, with_allies(one, (OWNER,))))


def _hides(played: Played) -> bool:
    _, cells = cast("tuple[object, list[object]]", played.known[OWNER])
    return bool(cells)


# Settings


def other_settings(game: Game, one: Played) -> int:
    """Compare with a standing order of a seat of the proving game that asks at a moment and then gets the answer that
    would have been given anyway: only its seat may know. There is no such twin where the moment never comes."""
    if game.system != "proving":
        return 0
    asked: list[int] = []
    plain, careful = (_settled(game, one, stops, asked) for stops in ((), (MOMENT,)))
    if not asked:
        return 0
    return same(plain, careful, all_but(one, (OWNER,)))


def _settled(game: Game, one: Played, stops: tuple[str, ...], asked: list[int]) -> Played:
    fields = {"stops": list(stops), "orders": {MOMENT: NO_ORDER}}
    settings = Say(OWNER_NAME, say.Intent(b"settings".ljust(16), "", SETTINGS, fields))  # type: ignore[arg-type]

    def speak_up(stage: Stage) -> Say | None:
        """Answer for the owner, who keeps their cards, as soon as they are asked."""
        question, prompt = stage.match.question, stage.players[OWNER].prompt
        is_asked = question is not None and question.kind == MOMENT and OWNER not in stage.match.sealed
        if not is_asked or prompt is None or not prompt.choices:
            return None
        assert question is not None
        asked.append(question.id)
        return Say(OWNER_NAME, say.Intent(question.id.to_bytes(16, "little"), PromptId(""), "hold"))

    async def script(stage: Stage) -> Sequence[Act]:
        stage.speak_up = speak_up
        # not before there is a turn: the first question asks where to hide
        begun = next((n for n, act in enumerate(one.acts) if one.questions[n][0] < 0), 0)
        for number, act in enumerate(one.acts):
            await stage.do(act)
            if number == begun:
                await stage.do(settings)
        return one.acts

    return play(game, script)
