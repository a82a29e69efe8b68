# tries: make us wait for ever by a child that keeps our pipes open
import os, signal, time
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(3600)
print("held: see how long it takes")
