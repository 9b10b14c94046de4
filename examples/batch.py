"""A thousand deals as a job, with its progress. The id of the job finds it again."""
import argparse, os
from roem import ConnectionFailed, Roem, index

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("id", nargs="?", help="the id of a job that was started before")
given, server = arguments.parse_args(), os.environ.get("ROEM", "http://localhost:8080")
roem = Roem(server)
try:  # the first call fails soon if there is no server; the others wait for one that starts again
    roem.version()
except ConnectionFailed as error:
    raise SystemExit(f"{error} Start it with: make run")
if given.id:
    job = roem.job(given.id)
else:
    positions = [roem.klaverjas.random_deal(seed=index(n))["position"] for n in range(1000)]
    job = roem.start("klaverjas.solve_batch", {"positions": positions})
    print("job", job.id)
for state in job.events():
    done = state.get("progress", {}).get("done", 0)
    print(f"[{'#' * (done // 25):40}] {done} of 1000")
outcomes = [deal["outcome"] for deal in job.wait()["results"] if "outcome" in deal]
print("the mean outcome is", round(sum(outcomes) / len(outcomes), 1))
