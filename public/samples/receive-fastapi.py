# receive_fastapi.py: callbacks with FastAPI.
# Run: WEBHOOK_SECRET=whsec_… uvicorn receive_fastapi:app --port 4000
import base64
import hashlib
import hmac
import json
import os
import re
import time

from fastapi import FastAPI, Request, Response

SECRET = re.sub("^whsec_", "", os.environ.get("WEBHOOK_SECRET", "").strip())
# Anybody can sign with an empty key.
if not re.fullmatch("[A-Za-z0-9+/]+=*", SECRET):
    raise ValueError("WEBHOOK_SECRET is empty or no base64")
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


app = FastAPI()


@app.post("/callback")
async def callback(request: Request):
    # Not a Pydantic model as the argument: what is signed are the bytes that came.
    raw_body = b""
    async for chunk in request.stream():
        raw_body += chunk
        if len(raw_body) > LIMIT_BYTES:
            return Response(status_code=413)
    if not is_genuine(request.headers, raw_body):
        return Response(status_code=401)
    invoice = json.loads(raw_body)
    # Handle each webhook-id once; compare amount and currency with your order;
    # release the goods only on status 2 (PAID).
    order = invoice["merchant_transaction_id"]
    print(request.headers["webhook-id"], order, invoice["status"])
    return {"success": True}
