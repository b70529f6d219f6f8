"""Never reads anything."""

import time

time.sleep(600)
