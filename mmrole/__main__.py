"""`python -m mmrole`."""

import sys

from mmrole.cli.main import main

sys.exit(main())
