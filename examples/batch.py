"""A thousand deals as a job, with its progress. The job's id finds it again: python3 batch.py ID"""
import json, os, sys, urllib.request

SERVER = os.environ.get("ROEM", "http://localhost:8080")


def call(path, body=None):
    headers = {"Content-Type": "application/json", "Prefer": "wait=5"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers)) as answer:
        return json.load(answer)


if len(sys.argv) > 1:
    job = call(f"/v1/jobs/{sys.argv[1]}")
else:
    positions = [call(f"/v1/klaverjas/deals/random?seed={n}")["position"] for n in range(1000)]
    job = call("/v1/jobs", {"kind": "klaverjas.solve_batch", "request": {"positions": positions}})
    print("job", job["id"])
while job["status"] in ("queued", "running"):
    print(job.get("progress", {}).get("done", 0), "of 1000")
    job = call(job["links"]["self"])
outcomes = [deal["outcome"] for deal in job["result"]["results"]]
print(job["status"], "the mean outcome is", round(sum(outcomes) / len(outcomes), 1))
