"""Games in words for language models, and the adapters for other frameworks of agents."""

from pegwise.agents.text import Answered as Answered
from pegwise.agents.text import TextEnvironment as TextEnvironment
from pegwise.agents.text import summary as summary
from pegwise.agents.text import tasks as tasks
from pegwise.agents.text import text_environment as text_environment
