"""A small shop on Python's standard library: creates an invoice, sends the buyer to the payment
page, and releases the goods when the callback says PAID. Python 3.8 or newer; see
examples/README.md for how to run it."""
import base64
import hashlib
import hmac
import html
import http.client
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAMES = ["GATEWAY_BASE_URL", "GATEWAY_MERCHANT_ID", "GATEWAY_TOKEN", "GATEWAY_WEBHOOK_SECRET"]
MISSING = [name for name in NAMES if not os.environ.get(name)]
if MISSING:
    sys.exit(f"Set {', '.join(MISSING)} (npm start of the gateway shows all of them).")
BASE_URL, MERCHANT_ID, TOKEN, SECRETS = (os.environ[name] for name in NAMES)
try:
    # Two secrets with a space between them while one is being rotated.
    bare = [re.sub("^whsec_", "", secret) for secret in SECRETS.split()]
    KEYS = [base64.b64decode(secret, validate=True) for secret in bare]
except ValueError:
    KEYS = []
if not KEYS or b"" in KEYS:  # anybody can sign with an empty key
    sys.exit("GATEWAY_WEBHOOK_SECRET must be whsec_ and base64, or two of them with a space.")
PORT = int(os.environ.get("PORT", 4200))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")

PENDING, PAID, EXPIRED, CANCELED = 1, 2, 3, 4
PRODUCT = {"title": "Ethiopia Yirgacheffe, 250 g", "amount": 1250, "currency": "USD"}
TOLERANCE_S = 300
ATTEMPTS = 5
LONGEST_PAUSE_S = 30  # the buyer waits for the answer
BODY_LIMIT_BYTES = 1024 * 1024

# A real shop keeps both in its database, and the second under a unique key.
orders = {}
handled_callbacks = set()
lock = threading.Lock()


def text_of(refusal):
    """What a refusal says, as far as it can be read."""
    try:
        return refusal.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return f"its text did not arrive: {error}"


def create_invoice(order):
    """Creates the invoice of an order and returns its id and the address of its payment page. A
    lost answer is no trouble: the same key with the same bytes gets the first answer again, so the
    request is simply repeated. Raises RuntimeError when there is no invoice."""
    address = f"{SHOP_URL}/orders/{order['id']}"
    body = json.dumps({
        "amount": order["amount"],
        "currency": order["currency"],
        "description": f"Order {order['id']}",
        "end_date": int(time.time() * 1000) + 3_600_000,
        "positions": [PRODUCT],
        "merchant_transaction_id": order["id"],
        "success_url": address,
        "error_url": f"{address}/not-paid",
        "callback_url": f"{SHOP_URL}/gateway/callback",
    }).encode()
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "X-Merchant": MERCHANT_ID,
        "Content-Type": "application/json",
        "Idempotency-Key": order["id"],
    }
    for attempt in range(1, ATTEMPTS + 1):
        pause_s = 0.25 * 2 ** (attempt - 1)
        try:
            request = urllib.request.Request(f"{BASE_URL}/invoice/create", body, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                invoice = json.load(answer)["data"]
            return invoice["invoice_id"], invoice["invoice_url"]
        except urllib.error.HTTPError as error:
            asked = error.headers.get("Retry-After", "")
            pause_s = max(pause_s, int(asked) if asked.isdecimal() else 0)
            is_final = error.code < 500 and error.code not in (408, 429)
            if is_final or pause_s > LONGEST_PAUSE_S:
                raise RuntimeError(f"{error.code}: {text_of(error)}") from error
        except (OSError, http.client.HTTPException):  # the second: an answer that is cut off
            pass
        except (ValueError, KeyError, TypeError) as error:  # a 200, but a stranger's
            told = f"not the gateway's answer (is GATEWAY_BASE_URL right?): {error!r}"
            raise RuntimeError(told) from error
        if attempt < ATTEMPTS:
            time.sleep(pause_s)
    raise RuntimeError("the gateway cannot be reached")


def is_genuine(headers, raw_body):
    """Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the raw bytes of the body."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + raw_body
    given = headers.get("webhook-signature", "").split(" ")
    # During a rotation there are two keys here, or two signatures there: one pair must fit.
    for key in KEYS:
        digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(each.encode(), f"v1,{digest}".encode()) for each in given):
            return True
    return False


def handle_callback(webhook_id, invoice):
    """Does what a notification asks for; doing it twice must change nothing."""
    with lock:
        if webhook_id in handled_callbacks:
            return "a repeat"
        order = orders.get(invoice["merchant_transaction_id"])
        if order is None:
            return "not an order of this shop"
        if invoice["status"] == PAID:
            # Somebody who changed the amount on the way must not get the goods for it.
            fits = (invoice["amount"], invoice["currency"]) == (order["amount"], order["currency"])
            order["state"] = "paid" if fits else "to be looked at"
        elif order["state"] == "new":
            order["state"] = "expired" if invoice["status"] == EXPIRED else "canceled"
        handled_callbacks.add(webhook_id)
        return order["state"]


STYLE = """body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
button { font: inherit; padding: 0.5rem 1rem; }"""


def page(title, body, refresh=False):
    again = '<meta http-equiv="refresh" content="1">' if refresh else ""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">{again}
<title>{html.escape(title)}</title>
<style>{STYLE}</style></head><body><main><h1>{html.escape(title)}</h1>{body}</main></body></html>"""


def order_page(order, is_back_unpaid):
    name = html.escape(order["id"])
    if order["state"] == "paid":
        return page("Thank you", f"<p>Order {name} is paid.</p>")
    if order["state"] == "to be looked at":
        # Money was taken, but not as the order says: a person has to look at it.
        return page("We are looking at your payment", f"<p>The payment of order {name} does not fit "
                    "it. We will write to you; please do not pay again.</p>")
    if order["state"] in ("expired", "canceled"):
        return page("Not paid", f"<p>Order {name} was not paid; nothing was charged.</p>")
    if is_back_unpaid:
        # A payment may still be on its way: that nothing was charged is known at the end only.
        return page("Not paid", f"<p>Order {name} is not paid yet.</p>")
    # The buyer is often back before the callback is there.
    return page("One moment", f"<p>We are waiting for the payment of order {name}.</p>", refresh=True)


class Shop(BaseHTTPRequestHandler):
    def answer(self, status, text, headers=None, kind="text/html; charset=utf-8"):
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        parts = self.path.split("?")[0].strip("/").split("/")
        if parts == [""]:
            form = '<form method="post" action="/orders"><button>Buy</button></form>'
            self.answer(200, page("A small shop", f"<p>{PRODUCT['title']}: 12.50 USD</p>{form}"))
        elif parts[0] == "orders" and len(parts) > 1 and parts[1] in orders:
            self.answer(200, order_page(orders[parts[1]], parts[2:] == ["not-paid"]))
        else:
            self.answer(404, page("Not found", ""))

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if not 0 <= length <= BODY_LIMIT_BYTES:
            self.answer(413, page("Too large", ""))
            return
        raw_body = self.rfile.read(length)
        if self.path == "/orders":
            self.create_order()
        elif self.path == "/gateway/callback":
            self.receive_callback(raw_body)
        else:
            self.answer(404, page("Not found", ""))

    def create_order(self):
        order = {"id": f"order-{uuid.uuid4()}", "state": "new"}
        order.update(amount=PRODUCT["amount"], currency=PRODUCT["currency"])
        # Kept before the gateway hears of it: the callback can be faster than the answer.
        orders[order["id"]] = order
        try:
            order["invoice_id"], payment_page = create_invoice(order)
        except RuntimeError as error:
            print(f"no invoice for {order['id']}: {error}", file=sys.stderr, flush=True)
            self.answer(502, page("Payment is not possible right now", ""))
            return
        self.answer(303, "", {"Location": payment_page})

    def receive_callback(self, raw_body):
        if not is_genuine(self.headers, raw_body):
            print("callback refused", file=sys.stderr, flush=True)
            self.answer(401, '{"success": false}', kind="application/json")
            return
        invoice = json.loads(raw_body)
        webhook_id = self.headers["webhook-id"]
        outcome = handle_callback(webhook_id, invoice)
        print(f"callback {webhook_id}: {invoice['merchant_transaction_id']}: {outcome}", flush=True)
        self.answer(200, '{"success": true}', kind="application/json")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", PORT), Shop)
    try:
        print(f"the shop is open on {SHOP_URL}", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
