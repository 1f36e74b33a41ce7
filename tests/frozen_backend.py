"""NumPy as if its arrays could not be written: a backend to test aliases of immutable arrays with."""

from gradarray.backend import CopyRequiredError, register
from gradarray_numpy import NumPyBackend


class FrozenBackend(NumPyBackend):
    """NumPy whose arrays are written nowhere but in the copy that the generic ``assign`` makes."""

    name = "frozen"
    immutable = True

    def is_writable(self, raw):
        return True

    def from_numpy(self, array, place, *, copy):
        return super().from_numpy(array, place, copy=self._copy(copy))

    def to_numpy(self, raw, *, copy):
        return super().to_numpy(raw, copy=self._copy(copy))

    def from_dlpack(self, producer, place, *, copy):
        return super().from_dlpack(producer, place, copy=self._copy(copy))

    @staticmethod
    def _copy(copy):
        # Memory that others may write cannot be shared.
        if copy is False:
            raise CopyRequiredError("asarray(): an immutable array shares no memory\nFix: copy=None")
        return True

    def updater(self, name, raw, other):
        raise AssertionError("an immutable array is updated in place")

    def snapshot(self, raw):
        raise AssertionError("an immutable array needs no snapshot")

    def references(self, raw):
        return None

    def is_owner(self, raw):
        return False


register(FrozenBackend())
