"""A thousand deals as a job, with its progress. The job's id finds it again: python3 batch.py ID"""
import os, sys
from roem import Roem, index

roem = Roem(os.environ.get("ROEM", "http://localhost:8080"))
if len(sys.argv) > 1:
    job = roem.job(sys.argv[1])
else:
    positions = [roem.klaverjas.random_deal(seed=index(n))["position"] for n in range(1000)]
    job = roem.start("klaverjas.solve_batch", {"positions": positions})
    print("job", job.id)
for state in job.events():
    done = state.get("progress", {}).get("done", 0)
    print(f"[{'#' * (done // 25):40}] {done} of 1000")
outcomes = [deal["outcome"] for deal in job.wait()["results"]]
print("the mean outcome is", round(sum(outcomes) / len(outcomes), 1))
