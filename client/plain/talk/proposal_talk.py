"""Talk about a choice that the table has filled in: what it would come to, what may be changed, and Enter to do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from client.input.drafts import Draft, draft_for
from client.model.session import ClientSession
from client.model.words.option_names import option_name
from client.plain.talk.advice import TableAdvice, target_words
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.talk.field_talk import field_lines, take_answer
from client.plain.told.compass import direction_of, direction_words, place_words, way_words
from client.plain.told.shown_table import ShownTable
from client.text.forecast_words import forecast_lines
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Facing
from protocol.scene.nodes import NO_NODE, Choice, Point, Reply
from protocol.wire.from_server import Proposed


class ProposalTalk:
    """Talk about one choice. `given`: the fields that the person has filled in; `send` makes the choice."""

    def __init__(
        self,
        session: ClientSession,
        advice: TableAdvice,
        choice: Choice,
        given: Mapping[str, object],
        send: Callable[[Reply, Choice], object],
    ) -> None:
        self._session = session
        self._advice = advice
        self._choice = choice
        self._given: dict[str, object] = dict(given)
        self._before: dict[str, object] = dict(given)
        """Fields of the last proposal that was not refused."""
        self._send = send
        self._draft: Draft | None = None
        """The field that is being changed."""
        advice.proposals.clear()
        self.sync()

    @property
    def shown(self) -> Proposed | None:
        """The choice filled in, once it has come."""
        return self._advice.answer_to(self._choice.id, self._given)

    def sync(self) -> None:
        """Ask for the choice as it is filled in now, unless that is known or asked."""
        self._advice.propose(self._choice.id, self._given)

    def key(self) -> tuple[object, ...]:
        """Return what the lines depend on."""
        shown = self.shown
        return (shown is not None and not shown.more, id(self._draft), tuple(sorted(map(str, self._given.items()))))

    def lines(self, shown: ShownTable) -> Iterator[str]:
        """Yield what is proposed, once it is known, or the field that is being changed."""
        proposal = self.shown
        if self._draft is not None:
            yield shown.texts.say(self._draft.field.name)
            yield from field_lines(self._draft, shown, {})
        elif proposal is not None and proposal.code:
            yield from self._refusal_lines(proposal, shown)
        elif proposal is not None and not proposal.more:
            self._before = dict(self._given)
            yield phrase("plain.proposal", choice=shown.texts.say(self._choice.name))
            yield from self._value_lines(proposal, shown)
            yield from self._outcome_lines(proposal, shown)
            for number, field in enumerate(_open_fields(proposal), 1):
                words = phrase("plain.proposal.change", name=shown.texts.say(field.name))
                yield phrase("plain.line", number=number, words=words)
            yield phrase("plain.proposal.enter")

    def _value_lines(self, proposal: Proposed, shown: ShownTable) -> Iterator[str]:
        """Yield a line for each field that is filled in."""
        known = {field.key: field for field in (*self._choice.fields, *proposal.open)}
        for key, value in proposal.fields.items():
            field = known.get(key)
            words = told_value(field, value, shown) if field is not None else ""
            if field is not None and words:
                name = shown.texts.say(field.name)
                yield f"{name} {words}" if name.endswith("?") else f"{name}: {words}"

    def _outcome_lines(self, proposal: Proposed, shown: ShownTable) -> Iterator[str]:
        """Yield where things would stand, what would be met from there, and the chances."""
        yield from _place_lines(proposal, shown)
        for target in proposal.targets:
            words = target_words(target, shown)
            name = shown.name(target.id)
            yield phrase("plain.proposal.target", name=f"{name}: {words}" if words else name)
        if proposal.forecast is not None:
            yield from forecast_lines(proposal.forecast, shown.texts, shown.name)

    def _refusal_lines(self, proposal: Proposed, shown: ShownTable) -> Iterator[str]:
        yield shown.texts.say(proposal.text) or proposal.code
        if proposal.by:
            yield phrase("plain.refused.by", name=shown.name(proposal.by))
        if self._given != self._before:
            yield phrase("plain.proposal.kept")
        yield phrase("plain.proposal.refused")

    def take(self, words: str, shown: ShownTable) -> bool:
        """Take what a person has typed; return False where it means nothing here. Raises BadAnswer."""
        if self._draft is not None:
            self._change(self._draft, words, shown)
            return True
        proposal = self.shown
        if proposal is None:
            return False
        if proposal.code and not words and self._given != self._before:
            self._given = dict(self._before)
            return True
        if proposal.code:
            return False
        if not words:
            self._send(Reply(self._choice.id, dict(proposal.fields)), self._choice)
            return True
        if not words.isdecimal():
            return False
        fields = _open_fields(proposal)
        if not fields:
            raise BadAnswer(phrase("plain.proposal.fixed"))
        self._draft = draft_for(fields[numbered(words, len(fields)) - 1])
        return True

    def _change(self, draft: Draft, words: str, shown: ShownTable) -> None:
        """Fill in the field that is being changed; an empty line takes what stands there."""
        told = take_answer(draft, words, shown) if words else ""
        if told or draft.missing():
            raise BadAnswer(told or draft.missing())
        self._given = {**self._given, draft.field.key: draft.wire()}
        self._draft = None


def _open_fields(proposal: Proposed) -> list[AnyField]:
    return [field for field in proposal.open if not field.lazy]


def _place_lines(proposal: Proposed, shown: ShownTable) -> Iterator[str]:
    """Yield where the middle of each group would stand, and how far that is from where it stands; of figures that are
    not on the table yet where they would."""
    groups: dict[NodeId, list[NodeId]] = {}
    for piece in proposal.ghosts:
        groups.setdefault(shown.top.group_of.get(piece, NO_NODE), []).append(piece)
    for id, members in groups.items():
        end = _middle([proposal.ghosts[piece] for piece in members])
        starts = [shown.top.pieces[piece].at for piece in members if piece in shown.top.pieces]
        if id and starts:
            way = way_words(_middle(starts), end, shown.unit)
            yield phrase("plain.proposal.moves", name=shown.names.of(id), place=place_words(end), way=way)
        else:
            yield phrase("plain.proposal.stands", count=len(members), place=place_words(end))


def _middle(places: Sequence[Point]) -> Point:
    return (sum(x for x, _ in places) // len(places), sum(y for _, y in places) // len(places))


def told_value(field: AnyField, value: object, shown: ShownTable) -> str:
    """Return a field's value in words: things and options by name, places by numbers; "" where it would tell
    nothing."""
    match value:
        case [int(), *_]:
            numbers = [number for number in value if isinstance(number, int)]
            return " - ".join(map(place_words, zip(numbers[::2], numbers[1::2], strict=False)))
        case list():
            return ", ".join(filter(None, (told_value(field, one, shown) for one in value)))
        case str():
            options = {option.id: option.name for option in getattr(field, "options", ())}
            known = value in shown.names.short
            return shown.name(NodeId(value)) if known else option_name(shown.model, NodeId(value), options.get(value))
        case int() if isinstance(field, Facing):
            return direction_words(direction_of(value))
        case int():
            return str(value)
        case _:
            return ""
