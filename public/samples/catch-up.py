# Brings your books level with what happened at the gateway. Python 3.8 or newer.
# export BASE_URL=https://…/api/sandbox
# export MERCHANT_ID=mer_…
# Run: API_TOKEN=… python3 catch-up.py
import json
import os
import urllib.error
import urllib.parse
import urllib.request

for name in ["BASE_URL", "MERCHANT_ID", "API_TOKEN"]:
    if not os.environ.get(name):
        raise SystemExit(f"{name} is not set")

# In place of your database, where the cursor stands beside the books.
FILE = "books.json"
books = {"cursor": None, "invoices": {}, "refunds": {}}
if os.path.exists(FILE):
    with open(FILE, encoding="utf-8") as file:
        books = json.load(file)


def save():
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(books, file, indent=2)
    os.replace(FILE + ".new", FILE)


def handle(event):
    entries = books["refunds" if "refund_id" in event else "invoices"]
    id = event.get("refund_id") or event["invoice_id"]
    # A callback may have told more already.
    if not (event["type"].endswith(".created") and id in entries):
        entries[id] = event


def read_page(cursor):
    query = {"limit": 1000, **({"after": cursor} if cursor else {})}
    request = urllib.request.Request(
        os.environ["BASE_URL"] + "/event/list?" + urllib.parse.urlencode(query),
        headers={
            "Authorization": "Bearer " + os.environ["API_TOKEN"],
            "X-Merchant": os.environ["MERCHANT_ID"],
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code}: {error.read().decode()}")


while True:
    page = read_page(books["cursor"])
    if not page["events"]:
        break
    for event in page["events"]:
        handle(event)
        print(event["type"], event.get("refund_id") or event["invoice_id"])
    books["cursor"] = page["next_cursor"]
    save()  # the events and their cursor together: a run that dies loses neither
print("The books are level.")
