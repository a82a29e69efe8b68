# tries: leave shared memory, semaphores and files of memory that base finds
import glob, os, sys
from multiprocessing import shared_memory

if sys.argv[1] == "head":
    try:
        m = shared_memory.SharedMemory("qa_from_head", create=True, size=4096)
        m.buf[:4] = b"head"
        open("/dev/shm/sem.qa_from_head", "w").close()
        from multiprocessing import resource_tracker
        resource_tracker.unregister("/qa_from_head", "shared_memory")
        print("held: left", flush=True)
        os._exit(0)
    except OSError as e:
        print("held:", e.strerror)
else:
    found = glob.glob("/dev/shm/*qa_from_head*")
    print("ESCAPED: " + str(found) if found else "held: nothing there")
