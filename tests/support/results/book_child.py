"""A process that keeps results for ever, and prints the number of each that is kept; to be killed.

`python -m tests.support.results.book_child ADAPTER PLACE`
"""

import asyncio
import os
import sys

from server.results.result_book import ResultBook
from tests.support.doubles.store_child import OPENERS
from tests.support.results.made import drawn, keep, results_in


async def main(adapter: str, place: str) -> None:
    store = await OPENERS[adapter](place)
    count = len(await results_in(store))
    book = ResultBook(store)
    for number, result in enumerate(drawn(count, count + 1), count + 1):
        await keep(book, store, result)
        os.write(1, f"{number}\n".encode())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
