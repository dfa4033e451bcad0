# Receives callbacks. Python 3.8 or newer.
# Run: WEBHOOK_SECRET=whsec_… python3 receive-callback.py
import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = re.sub("^whsec_", "", os.environ.get("WEBHOOK_SECRET", "").strip())
# Anybody can sign with an empty key.
if not re.fullmatch("[A-Za-z0-9+/]+=*", SECRET):
    raise SystemExit("WEBHOOK_SECRET is empty or no base64")
KEY = base64.b64decode(SECRET)
TOLERANCE_S = 300
# More than any callback has: whoever sends more is not the gateway.
LIMIT_BYTES = 1024 * 1024


# Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
def is_genuine(headers, raw_body):
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + raw_body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # Two signatures during a rotation of the secret: one of them must be right.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in given)


class Callback(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        is_short = 0 <= length <= LIMIT_BYTES
        raw_body = self.rfile.read(length) if is_short else b""
        if not is_genuine(self.headers, raw_body):
            self.send_response(401)
            self.end_headers()
            return
        invoice = json.loads(raw_body)
        # Handle each webhook-id once; compare amount and currency with your order;
        # release the goods only on status 2 (PAID).
        order = invoice["merchant_transaction_id"]
        print(self.headers["webhook-id"], order, invoice["status"], flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"success": true}')


port = int(os.environ.get("PORT", 4000))
try:
    ThreadingHTTPServer(("", port), Callback).serve_forever()
except KeyboardInterrupt:
    pass
