"""What third parties run: gradient checks of functions, checks of backends, namespaces for conformance suites."""

from ._backends import check_backend as check_backend
from ._gradients import check_grads as check_grads
from ._namespaces import namespace as namespace
from ._namespaces import track as track

__all__ = ["check_backend", "check_grads", "namespace"]
