"""Who may say what to the register. The door asks here too: before it touches a key."""

from libs.kernel.actors import Role
from libs.kernel.contracts.persons import ConfirmKeyDestroyed, CorrectPerson, ForgetPerson, LookAtPerson, RegisterPerson
from libs.kernel.messages import Command

ROLES: dict[type[Command], frozenset[Role]] = {
    RegisterPerson: frozenset({"cashier"}),
    CorrectPerson: frozenset({"cashier"}),
    LookAtPerson: frozenset({"cashier", "committee_member", "auditor"}),
    ForgetPerson: frozenset({"committee_member"}),
    ConfirmKeyDestroyed: frozenset({"service"}),
}
