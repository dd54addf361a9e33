"""Talk about a prompt: its choices by number, one field after another, then what the choice would come to.

It drives the same controller as the window's form. A choice of one's turn is proposed before it is made: fields that
may be left out are left to the table, which fills them in, and Enter makes the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from client.input.activation_ending import ActivationEnding, listed_asides
from client.input.choice_numbers import ChoiceNumbers
from client.input.drafts import Draft, WordsDraft
from client.input.prompt_controller import PromptController
from client.input.prompt_driver import ASKING, CHOOSING, FILLING, PromptDriver
from client.model.session import RESERVED, ClientSession
from client.plain.talk.advice import TableAdvice
from client.plain.talk.answers import BadAnswer, may_be_words
from client.plain.talk.field_talk import field_lines, take_answer
from client.plain.talk.proposal_talk import ProposalTalk
from client.plain.told.shown_table import ShownTable
from client.plain.told.standing import stack_lines
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.nodes import NO_PROMPT, TURN, Choice, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Reject

NOTES_WITHIN: Final = 1.5
"""Seconds for which the chances of what can be picked are waited for."""


class PromptTalk:
    """Talk of one session. `say` takes each line, `gather` gives the table as it is."""

    def __init__(self, session: ClientSession, say: Callable[[str], object], gather: Callable[[], ShownTable]) -> None:
        self._session = session
        self._say = say
        self._gather = gather
        self.controller = PromptController(session)
        self.controller.filled = self._fill
        self.advice = TableAdvice(session)
        self.command_advice = TableAdvice(session)
        """Advice for commands, which ask about other things than the prompt does."""
        self._ending = ActivationEnding(lambda: session.profile.ending, session.intend)
        self._numbers = ChoiceNumbers()
        self._proposal: ProposalTalk | None = None
        self._told: tuple[object, ...] = ()
        self._asked: set[str] = set()
        """Keys of the fields that the person has answered: the table keeps them as they are."""
        self._stays = NO_PROMPT
        """The prompt whose only choice the person has gone back from."""
        self._notes_until = 0.0

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that can be answered now; None where none waits for the person."""
        driver = self.controller.driver
        return driver.prompt if driver is not None and (driver.prompt.choices or driver.choice) else None

    def claims(self, line: str) -> bool:
        """Tell whether a line is an answer though a command has it: where a field is filled in by any words."""
        return isinstance(self.controller.draft, WordsDraft) and may_be_words(line)

    @property
    def is_busy(self) -> bool:
        """True where something has been asked or said that has no answer yet."""
        return self.controller.busy or self.advice.is_busy

    def sync(self) -> None:
        """Take in what has changed, go on from there, and ask what is to be asked next."""
        session, prompt = self._session, self._session.prompt
        table = session.conversation.table
        if table is not None:
            self._ending.update(table.id, prompt)
        self.controller.update(prompt, session.conversation.pending)
        if prompt is None or not prompt.choices:
            self._numbers.rest()
        answers = [message for message in session.take_advice() if not isinstance(message, Reject)]
        self.advice.hear(answers)
        self.command_advice.hear(answers)
        driver = self.controller.driver
        if driver is None or driver.reply is None:
            self._proposal = None
        if driver is not None:
            self._go_on(driver)
        if self._proposal is not None:
            self._proposal.sync()
        key = self._key()
        if key != self._told and not self._waits_for_notes():
            self._told = key
            for line in self.lines():
                self._say(line)

    def _go_on(self, driver: PromptDriver) -> None:
        """Take the only choice of a question, and leave out what is left to the table."""
        prompt = driver.prompt
        is_only = prompt.window != TURN and len(prompt.choices) == 1 and prompt.id != self._stays
        if driver.stage == CHOOSING and is_only and prompt.choices[0].fields:
            self.controller.choose(prompt.choices[0].id)
        for _ in range(len(driver.fields)):
            if driver.stage == FILLING and not self._is_asked(driver):
                self.controller.confirm()
        self._look_at_objects(driver)

    def _is_asked(self, driver: PromptDriver) -> bool:
        """Tell whether a person is asked for the field being filled: where clicks would make the choice, for those that
        they fill, and for what has no default; else for all that may not be left out."""
        field, draft = driver.field, driver.draft
        gesture = driver.choice.gesture if driver.choice is not None else None
        if field is None or draft is None:
            return True
        if gesture is None or not gesture.object or driver.prompt.window != TURN:
            return not field.auto
        return field.key in (gesture.subject, gesture.object) or bool(draft.missing())

    def _look_at_objects(self, driver: PromptDriver) -> None:
        """Ask for the chances of the objects that are about to be listed."""
        subject = self._subject(driver)
        survey = self.advice.survey
        is_known = (survey.subject, survey.prompt) == (subject, driver.prompt.id)
        if driver.stage == FILLING and subject and not is_known:
            self._notes_until = self._session.clock() + NOTES_WITHIN
            self.advice.look_at(subject, driver.prompt)

    def _subject(self, driver: PromptDriver) -> NodeId | None:
        """Return what acts, where the field being filled is what it acts on."""
        gesture = driver.choice.gesture if driver.choice is not None else None
        if gesture is None or driver.field is None or driver.field.key != gesture.object or not gesture.subject:
            return None
        value = driver.filled().get(gesture.subject)
        return NodeId(str(value[0] if isinstance(value, list) and value else value)) if value else None

    def _waits_for_notes(self) -> bool:
        driver = self.controller.driver
        if driver is None or self._subject(driver) is None or self.advice.survey.is_done:
            return False
        return self._session.clock() < self._notes_until

    def _key(self) -> tuple[object, ...]:
        """Return what the lines that ask depend on: as long as it is the same, nothing is asked again."""
        driver, controller = self.controller.driver, self.controller
        if driver is None or controller.sent is not None or driver.stage == ASKING:
            return ("", self._told) if self._told[:1] != ("",) else self._told
        if self._proposal is not None:
            return ("proposal", *self._proposal.key())
        choices = tuple(choice.id for choice in driver.prompt.choices)
        return (driver.prompt.id, driver.stage, choices, len(driver.values), id(driver.draft), controller.is_given)

    def lines(self) -> Iterator[str]:
        """Yield the lines that ask what is to be answered now."""
        driver = self.controller.driver
        if driver is None or self.controller.sent is not None or driver.stage == ASKING:
            return
        note, driver.note = driver.note, ""
        if note and driver.stage != FILLING:  # the lines of a field tell why none of it can be picked
            yield self._session.texts.say(note) if isinstance(note, Text) else note
        shown = self._gather()
        if driver.prompt.window != TURN and driver.prompt.choices:
            yield from stack_lines(shown)
        if self._proposal is not None:
            yield from self._proposal.lines(shown)
        elif driver.stage == FILLING and driver.draft is not None:
            yield from self._field_lines(driver, driver.draft, shown)
        else:
            yield from self._choice_lines(driver.prompt, shown)

    def _choice_lines(self, prompt: Prompt, shown: ShownTable) -> Iterator[str]:
        say = self._session.texts.say
        if self.controller.is_given:
            yield phrase("prompt.given")
        if not prompt.choices:
            return
        yield shown.model.prompt_title(prompt)
        for number, choice in self._numbered(prompt):
            yield phrase("plain.line", number=number, words=say(choice.name))
        default = self._default(prompt)
        if default is not None:
            yield phrase("plain.field.enter", value=say(default.name))

    def _numbered(self, prompt: Prompt) -> list[tuple[int, Choice]]:
        """Return the choices with the numbers that stay theirs, in that order."""
        numbers = self._numbers.of(prompt)
        found = [(numbers[choice.id], choice) for choice in (*prompt.choices, *listed_asides(prompt))]
        return sorted(found, key=lambda pair: pair[0])

    def _default(self, prompt: Prompt) -> Choice | None:
        """Return what Enter means before a choice: the default of a question; of one's turn nothing, since that is to
        end it."""
        if prompt.window == TURN:
            return None
        return next((choice for choice in prompt.choices if choice.id == prompt.default), None)

    def _field_lines(self, driver: PromptDriver, draft: Draft, shown: ShownTable) -> Iterator[str]:
        assert driver.choice is not None
        say = self._session.texts.say
        trail = dict.fromkeys((say(driver.prompt.title), say(driver.choice.name), say(draft.field.name)))
        title = list(trail)[1:] if driver.prompt.window == TURN else list(trail)
        yield phrase("plain.field", trail=": ".join(title or trail))
        notes = self.advice.notes(driver.choice, shown) if self._subject(driver) is not None else {}
        yield from field_lines(draft, shown, notes)

    def take(self, words: str) -> bool:
        """Take what a person has typed; return False where it means nothing to this talk. Raises BadAnswer."""
        driver = self.controller.driver
        if driver is None or self.prompt is None or self.controller.sent is not None:
            return False
        if words == phrase("plain.word.back"):
            return self._go_back()
        if self._proposal is not None:
            return self._proposal.take(words, self._gather())
        if driver.stage == FILLING and driver.draft is not None:
            return self._answer(driver.draft, words)
        return driver.stage == CHOOSING and self._choose(driver.prompt, words)

    def _choose(self, prompt: Prompt, words: str) -> bool:
        choices = dict(self._numbered(prompt))
        default = self._default(prompt)
        if not words and default is not None:
            self.controller.choose(default.id)
            return True
        if words.isdecimal():
            number = int(words) if len(words) < 6 else 0
            if number not in choices:
                raise BadAnswer(phrase("plain.answer.not_offered", words=words))
            self.controller.choose(choices[number].id)
            return True
        say = self._session.texts.say
        named = [choice for choice in choices.values() if say(choice.name).lower() == words.lower()]
        if len(named) == 1:
            self.controller.choose(named[0].id)
        return len(named) == 1

    def _answer(self, draft: Draft, words: str) -> bool:
        """Fill the field in by what was typed; an empty line accepts what stands there."""
        self._asked.add(draft.field.key)
        if not words:
            if not self.controller.confirm() and self.controller.driver is not None:
                note = self.controller.driver.note
                raise BadAnswer(self._session.texts.say(note) if isinstance(note, Text) else note)
            return True
        told = take_answer(draft, words, self._gather())
        if told:
            self._say(told)
            self._say(phrase("plain.field.accept"))
        else:
            self.controller.confirm()
        return True

    def _go_back(self) -> bool:
        """Go back to the last field that a person is asked for, else to the choices."""
        controller, driver = self.controller, self.controller.driver
        self._proposal = None
        while driver is not None and driver.choice is not None and controller.back():
            if self._is_asked(driver):
                break
        if driver is not None and driver.choice is None:
            self._stays = driver.prompt.id
        self._told = ()
        return True

    def _fill(self, reply: Reply, choice: Choice) -> None:
        """Take a choice that is filled in: one of the turn is proposed first, with what it would come to."""
        driver = self.controller.driver
        is_turn = driver is not None and driver.prompt.window == TURN and not choice.id.startswith(RESERVED)
        if not is_turn or not choice.fields:
            self.controller.send_filled(reply, choice)
        elif self._proposal is None:
            given = {key: value for key, value in reply.fields.items() if key in self._asked}
            self._proposal = ProposalTalk(self._session, self.advice, choice, given, self.controller.send)

    def about(self, number: int) -> Iterator[str]:
        """Yield what a choice means: its hint, and its rule. Raises BadAnswer."""
        prompt = self.prompt
        choices = dict(self._numbered(prompt)) if prompt is not None else {}
        choice = choices.get(number)
        if choice is None:
            raise BadAnswer(phrase("plain.answer.not_offered", words=str(number)))
        yield self._session.texts.say(choice.name)
        yield self._session.texts.say(choice.hint) or phrase("plain.no_hint")
