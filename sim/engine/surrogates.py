"""Surrogates: the one place where operation ids become numbers, which are read as ``op-1``."""


class LimitReachedError(Exception):
    """The run made more records than it may: the result is inconclusive."""


class Surrogates(dict[str, int]):
    """Numbers the operation ids of a run in the order in which clients made them.

    Looking an id up gives its number, or 0 for one that no client ever made.
    """

    def __missing__(self, operation_id: str) -> int:
        return 0

    def number_of(self, operation_id: str) -> int:
        """Return the number of an operation id, giving it the next one if it is new."""
        number = self.get(operation_id, 0)
        if not number:
            number = self[operation_id] = len(self) + 1
        return number

    def id_of(self, number: int) -> str | None:
        """Return the operation id behind a number, if there is one yet."""
        return next((held for held, known in self.items() if known == number), None)
