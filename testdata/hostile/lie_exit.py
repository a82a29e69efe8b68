# tries: look successful although it was killed
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
