"""A bidding assistant: eight cards and the calls before in, a call with its reason out."""
import argparse, os
from roem import Roem, RoemError

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("-dealer", default="W", help="the seat of the dealer")
arguments.add_argument("-calls", default="", help="the calls before")
arguments.add_argument("hand", nargs="+", help="the cards of the hand")
given = arguments.parse_args()
request = {"flow": "free", "dealer": given.dealer, "calls": given.calls.split(), "hand": given.hand, "seed": "1"}
try:
    advice = Roem(os.environ.get("ROEM", "http://localhost:8080"), patience=2).klaverjas.bid(request)
except RoemError as error:
    raise SystemExit(str(error))
print(f"Call {advice['call']}. {advice['why']}")
for trump in advice["trumps"]:
    print(f"{trump['trump']}: {trump['value']:+.0f} points, won with probability {trump['table_win_probability']:.0%}")
