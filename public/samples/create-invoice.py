# Creates an invoice. Python 3.8 or newer.
# export BASE_URL=https://…/api/sandbox
# export MERCHANT_ID=mer_…
# Run: API_TOKEN=… python3 create-invoice.py
import json
import os
import time
import urllib.error
import urllib.request
import uuid

for name in ["BASE_URL", "MERCHANT_ID", "API_TOKEN"]:
    if not os.environ.get(name):
        raise SystemExit(f"{name} is not set")
order = f"order-{uuid.uuid4()}"
request = urllib.request.Request(
    os.environ["BASE_URL"] + "/invoice/create",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["API_TOKEN"],
        "X-Merchant": os.environ["MERCHANT_ID"],
        "Content-Type": "application/json",
        "Idempotency-Key": order,  # after a lost answer, send the same again
    },
    data=json.dumps({
        "merchant_transaction_id": order,
        "amount": 1500,  # 15.00 USD
        "currency": "USD",
        "description": "Two bags of coffee",
        "end_date": int((time.time() + 3600) * 1000),
        "positions": [
            {"title": "Coffee beans, 1 kg", "amount": 1500, "currency": "USD"},
        ],
        "success_url": "https://shop.example/thanks",
        "error_url": "https://shop.example/cart",
        "callback_url": "https://shop.example/callback",
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=10) as response:
        data = json.load(response)["data"]
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code}: {error.read().decode()}")
print(data["invoice_id"])
print(data["invoice_url"])  # send the buyer there
