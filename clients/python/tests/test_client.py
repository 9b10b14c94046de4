"""The tests of the client against a real server, behind a proxy that refuses, cuts and restarts (clients/stage)."""

import inspect
import json
import os
import pathlib
import re
import subprocess
import threading
import unittest
import urllib.request

import roem

ROOT = pathlib.Path(__file__).parents[3]
HANDS = {
    "N": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"],
    "E": ["8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"],
    "S": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"],
    "W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"],
}
POSITION = {"trump": "S", "leader": "S", "hands": HANDS}
PLAYED = "KH 8S 7H 8H JS 10S KD 7S QS AS JD 9S"
LONG = {"a": "pimc:100", "b": "pimc:100", "deals": 2000}
GAME = {"trump": "H", "leader": "W", "seed": "7", "players": {"partner": "simple", "opponents": "simple"}}


class Stage:
    def __init__(self):
        program = [os.environ["ROEM_STAGE"], "-server", os.environ["ROEM_SERVER"]]
        self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.__dict__.update(json.loads(self.process.stdout.readline()))

    def tell(self, what):
        urllib.request.urlopen(urllib.request.Request(self.control + what, method="POST")).close()

    def counts(self):
        return self.ask("/counts")

    def streams(self):
        return self.ask("/streams")

    def ask(self, what):
        with urllib.request.urlopen(self.control + what) as answer:
            return json.load(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stage = Stage()
        cls.addClassCleanup(cls.stage.end)
        cls.client = roem.Roem(cls.stage.url, key=cls.stage.key)

    def setUp(self):
        self.pauses = []
        self.stage.tell("/cut?every=0")
        self.stage.tell("/refuse?times=0")
        # A client that does not really wait between attempts.
        self.hasty = roem.Roem(self.stage.url, key=self.stage.key, patience=20, pause=self.pauses.append)

    def test_an_answer_is_the_same_at_once_and_as_a_job(self):
        solution = self.client.solve(POSITION)
        self.assertIs(solution["exact"], True)
        job = self.client.start("klaverjas.solve", POSITION)
        self.assertEqual(job.wait()["line"], solution["line"])
        self.assertEqual(self.client.job(job.id).wait()["line"], solution["line"])
        match = self.client.klaverjas.match({"a": "simple", "b": "random", "deals": 2, "seed": "1"})
        self.assertEqual(match["deals"], 2)

    def test_an_error_says_what_where_what_was_expected_and_which_request(self):
        with self.assertRaises(roem.ProblemDocument) as caught:
            self.client.solve(POSITION | {"hands": HANDS | {"N": HANDS["N"][:7] + ["KS"]}})
        error = caught.exception
        self.assertEqual((error.status, error.type), (422, "/docs/errors#impossible"))
        self.assertEqual((error.code, error.pointer), ("card_twice", "/hands/S/7"))
        self.assertRegex(error.request_id, r"^\w+$")
        with self.assertRaises(roem.ProblemDocument) as caught:
            self.client.solve(POSITION | {"trump": "X"})
        error = caught.exception
        self.assertEqual((error.code, error.pointer, error.expected), ("not_a_suit", "/trump", {"one_of": ["C", "D", "H", "S"]}))

    def test_a_refusal_is_asked_again_when_the_server_says(self):
        for status in (429, 503):
            with self.subTest(status=status):
                self.pauses.clear()
                self.stage.tell(f"/refuse?status={status}&times=5&after=2")
                before = self.stage.counts()["requests"]
                self.assertIs(self.hasty.solve(POSITION)["exact"], True)
                self.assertEqual(self.stage.counts()["requests"] - before, 6)
                self.assertEqual(len(self.pauses), 5)
                self.assertTrue(all(2 <= pause <= 6 for pause in self.pauses), self.pauses)

    def test_without_retry_after_the_waits_grow_and_end_with_the_patience(self):
        self.stage.tell("/refuse?status=503&times=1000")
        with self.assertRaises(roem.ProblemDocument):
            self.hasty.solve(POSITION)
        for i, pause in enumerate(self.pauses):
            most = min(8, 0.25 * 2**i)
            self.assertTrue(most / 2 <= pause <= most, (i, pause))
        self.assertTrue(10 < sum(self.pauses) <= 20, self.pauses)

    def test_a_wrong_address_is_said_soon_and_with_its_url(self):
        nowhere, strangers, plain = "http://no-such-host.invalid:8080", self.stage.strangers, self.stage.url
        for url, error, said in (
            (self.stage.closed, roem.ConnectionFailed, "Nothing listens there. Is the server running?"),
            (nowhere, roem.ConnectionFailed, "The host is not found"),
            (plain.replace("http", "https"), roem.ConnectionFailed, "does not speak TLS"),
            (strangers + "/html", roem.ConnectionFailed, "not Roem. Its answer is text/html"),
            (strangers + "/missing", roem.ProblemDocument, "404 Not Found. It does not come from Roem"),
            (strangers + "/moved", roem.ProblemDocument, "301 Moved Permanently, to https://elsewhere.invalid/"),
            (strangers + "/plain", roem.ProblemDocument, "400 Bad Request: Client sent an HTTP request to an HTTPS server"),
        ):
            with self.subTest(url=url):
                self.pauses.clear()
                with self.assertRaisesRegex(error, re.escape(said)) as caught:
                    roem.Roem(url, pause=self.pauses.append).solve(POSITION)
                self.assertIn(url + "/v1/klaverjas/solve", str(caught.exception))
                self.assertLessEqual(sum(self.pauses), 2)
        for wrong in ("localhost:8080", "http://", "http://localhost:80a"):
            self.assertRaises(ValueError, roem.Roem, wrong)

    def test_a_server_that_has_answered_is_waited_for(self):
        waiting = roem.Roem(self.stage.url, key=self.stage.key, pause=self.pauses.append)
        waiting.version()
        waiting._transport._host = self.stage.closed.removeprefix("http://")
        with self.assertRaises(roem.ConnectionFailed):
            waiting.version()
        self.assertTrue(50 < sum(self.pauses) <= 60, self.pauses)

    def test_a_refusal_of_the_request_is_not_tried_again(self):
        client = roem.Roem(self.stage.direct, key=self.stage.key, pause=self.pauses.append)
        for body, status in (({"text": "x" * 40_000_000}, 413), ({"text": 1}, 400)):
            with self.subTest(status=status), self.assertRaises(roem.ProblemDocument) as caught:
                client.records.convert(body)
            self.assertEqual(caught.exception.status, status)
            self.assertIn(self.stage.direct + "/v1/records/convert", str(caught.exception))
        self.assertEqual(self.pauses, [])

    def test_every_operation_of_the_contract_has_a_method(self):
        contract = json.loads((ROOT / "api/openapi.json").read_text())
        expected = set()
        for path, item in contract["paths"].items():
            for method, operation in item.items():
                if "x-not-in-clients" in operation:
                    continue
                for form in operation["responses"].get("200", {}).get("content", {"application/json": {}}):
                    expected.add((form, method.upper(), re.sub(r"\{\w+\}", "x", path)))
        asked, client = set(), roem.Roem("http://localhost")

        def answered(method, path, headers, body, limit, form, read):
            asked.add((form, method, path.partition("?")[0]))
            return None if form == "text/event-stream" else {"jobs": [{"id": "x", "status": "queued"}], "id": "x"}

        client._transport.answered = answered
        for game in vars(client).values():
            if game is not client._transport:
                for name, method in inspect.getmembers(game, inspect.ismethod):
                    if not name.startswith("_"):
                        self.ask_with_x(method)
        job = client.start("klaverjas.solve", POSITION)
        for result in (client.job("x"), *client.jobs(), client.version(), job.token(), *job.events()):
            self.assertIsNotNone(result)
        job.cancel()
        self.assertEqual(asked, expected)

    @staticmethod
    def ask_with_x(method):
        given = [p for p in inspect.signature(method).parameters.values() if p.kind is not p.VAR_KEYWORD]
        answer = method(
            *("x" for p in given if p.kind is p.POSITIONAL_OR_KEYWORD), **{p.name: "x" for p in given if p.kind is p.KEYWORD_ONLY}
        )
        if inspect.isgenerator(answer):
            list(answer)

    def test_jobs_are_listed(self):
        jobs = [self.client.start("klaverjas.match", {"a": "simple", "b": "random", "deals": 1, "seed": str(n)}) for n in range(21)]
        listed = [job.id for job in self.client.jobs()]
        self.assertEqual([id for id in listed if id in {job.id for job in jobs}], [job.id for job in reversed(jobs)])
        self.assertEqual(sorted(job.id for job in self.client.jobs(ids=[jobs[0].id, jobs[7].id])), sorted([jobs[0].id, jobs[7].id]))
        self.assertEqual(list(self.client.jobs(ids=[jobs[0].id], status="cancelled")), [])
        for job in jobs:
            job.wait()

    def test_advice_comes_as_a_stream(self):
        view = {"trump": "S", "leader": "S", "seat": "S", "hand": HANDS["S"], "played": PLAYED.split(), "worlds": 400, "seed": "1"}
        used = [advice["worlds"]["used"] for advice in self.client.klaverjas.advise_stream(view)]
        self.assertEqual(used, sorted(set(used)))
        self.assertEqual(used[0], 100)
        for advice in self.client.klaverjas.advise_stream(view):
            break  # a loop can end when the answer is good enough
        with self.assertRaises(roem.ProblemDocument):
            list(self.client.klaverjas.advise_stream(view | {"trump": "X"}))
        self.stage.tell("/cut?every=1")
        with self.assertRaisesRegex(roem.ConnectionFailed, "broken before its end"):
            list(self.hasty.klaverjas.advise_stream(view))

    def test_what_creates_a_session_is_read_as_get_session_too(self):
        session = self.client.klaverjas.create_session(GAME)
        self.assertEqual(self.client.klaverjas.get_session(session["id"]), self.client.klaverjas.session(session["id"]))
        self.client.klaverjas.end_session(session["id"])

    def test_a_call_ends_when_it_is_cancelled_and_after_its_timeout(self):
        job = self.client.start("klaverjas.match", LONG | {"seed": "5"})
        self.addCleanup(job.cancel)
        with self.assertRaises(TimeoutError):
            job.wait(timeout=0.05)
        cancel, raised = roem.Cancel(), []

        def wait():
            try:
                job.wait(cancel=cancel)
            except roem.Cancelled as error:
                raised.append(error)

        before = self.stage.counts()["requests"]
        waiter = threading.Thread(target=wait)
        waiter.start()
        while self.stage.counts()["requests"] == before:
            pass
        cancel.cancel()
        waiter.join(20)
        self.assertEqual(len(raised), 1)
        for _ in job.events():
            job.cancel()
        with self.assertRaises(roem.JobCancelled):
            job.wait()

    def play(self, client):
        answers = []
        hand = client.klaverjas.create_session(GAME)
        while hand["state"] == "playing":
            cards = client.klaverjas.advise(hand["view"] | {"worlds": 4, "seed": "1"})["cards"]
            answers.append(cards)
            hand = client.klaverjas.session_play(hand["id"], {"acts": hand["acts"], "card": cards[0]["card"]})
        job = client.start("klaverjas.solve_batch", {"positions": self.positions(client, 200)})
        *_, last = job.events()
        self.assertEqual(last["status"], "succeeded")
        return [*answers, self.outcomes(job), hand["totals"], hand["acts"]]

    def positions(self, client, number, trump="H"):
        deals = [client.klaverjas.random_deal(seed=roem.index(n), trump=trump, leader="N") for n in range(number)]
        return [deal["position"] for deal in deals]

    def outcomes(self, job):
        return [result["outcome"] for result in job.wait()["results"]]

    def test_an_answer_in_three_is_cut(self):
        before = self.stage.counts()
        whole = self.play(self.client)
        between = self.stage.counts()
        self.stage.tell("/cut?every=3")
        self.assertEqual(self.play(self.hasty), whole)
        after = self.stage.counts()
        self.assertGreaterEqual(after["cut"], 50)
        self.assertEqual((between["jobs"] - before["jobs"], after["jobs"] - between["jobs"]), (1, 1))
        self.assertEqual((between["sessions"] - before["sessions"], after["sessions"] - between["sessions"]), (1, 1))
        ids = [self.hasty.klaverjas.create_session({})["id"] for _ in range(6)]
        self.assertEqual(self.stage.counts()["sessions"], after["sessions"] + 6)
        for id in ids:
            self.hasty.klaverjas.end_session(id)
        self.assertEqual(self.stage.counts()["sessions"], after["sessions"])

    def test_refused_for_ten_seconds(self):
        for status, number in ((429, 20), (503, 21)):
            with self.subTest(status=status):
                positions = self.positions(self.client, number)
                expected = [self.client.solve(position)["outcome"] for position in positions]
                waits = []

                def pause(seconds):
                    waits.append(seconds)
                    if sum(waits) >= 10:
                        self.stage.tell("/refuse?times=0")

                patient = roem.Roem(self.stage.url, key=self.stage.key, patience=20, pause=pause)
                jobs = self.stage.counts()["jobs"]
                self.stage.tell(f"/refuse?status={status}&times=1000")
                self.assertEqual(self.outcomes(patient.start("klaverjas.solve_batch", {"positions": positions})), expected)
                self.assertEqual(self.stage.counts()["jobs"], jobs + 1)
                self.assertGreaterEqual(sum(waits), 10)

    def test_a_stream_that_breaks_goes_on_after_the_event_that_came_last(self):
        job = self.hasty.start("klaverjas.match", LONG | {"seed": "3"})
        self.addCleanup(job.cancel)
        self.stage.tell("/cut?every=1")
        self.stage.streams()
        seen = []
        for state in job.events():
            seen.append(state)
            if len(seen) == 4:
                self.stage.tell("/cut?every=0")
                job.cancel()
        self.assertEqual(seen[-1]["status"], "cancelled")
        streams = self.stage.streams()
        self.assertGreaterEqual(len(streams), 4)
        last = [stream["sent"][-1] for stream in streams if stream["sent"]]
        self.assertEqual([stream["after"] for stream in streams], ["", *last[:-1]])
        ids = {id for stream in streams for id in stream["sent"]}
        self.assertEqual(len(ids), len(seen))  # each event came once

    def test_the_server_is_killed_while_a_job_runs(self):
        job = self.client.start("klaverjas.match", LONG | {"seed": "6"})
        self.addCleanup(job.cancel)
        attempts = []
        for state in job.events():
            if state["status"] == "running" and state["attempts"] not in attempts:
                attempts.append(state["attempts"])
                self.stage.tell("/restart") if len(attempts) == 1 else job.cancel()
        self.assertEqual(attempts, [1, 2])
        with self.assertRaises(roem.JobCancelled):
            self.client.job(job.id).wait()

    def test_a_job_that_a_restart_has_interrupted_has_its_results(self):
        positions = self.positions(self.client, 400, trump="S")  # the server knows no results
        job = self.client.start("klaverjas.solve_batch", {"positions": positions})
        next(state for state in job.events() if state["status"] == "running")
        self.stage.tell("/restart")
        outcomes = self.outcomes(job)
        self.assertEqual((len(outcomes), job.state["attempts"]), (400, 2))
        for i in (0, 200, 399):
            self.assertEqual(outcomes[i], self.client.solve(positions[i])["outcome"])

    def test_helpers(self):
        self.assertEqual([roem.outcome_for("NS", 52, "NS"), roem.outcome_for("E", 52, "NS"), roem.outcome_for("W", -200, "EW")], [52, -52, -200])
        self.assertEqual([roem.team_of("S"), roem.seat_after("W"), roem.seat_after("N", 2), roem.seat_after("N", -1)], ["NS", "N", "S", "W"])
        self.assertEqual(roem.seating("S", ["Ann", "Bob", "Cas", "Dee"]), {"N": "Cas", "E": "Dee", "S": "Ann", "W": "Bob"})
        self.assertEqual(roem.index("007"), "7")
        for wrong in (-1, 2**64, 1e17):
            self.assertRaises(ValueError, roem.index, wrong)
        deal = self.client.klaverjas.deal_at(roem.index(99561092450390998), trump="H", leader="N")["deal"]
        self.assertEqual(deal["index"], "99561092450390998")


if __name__ == "__main__":
    unittest.main()
