"""Drives a stand-in by YooKassa's own package, at the address that the first argument names.

Prints what came of each step as JSON. The second argument holds bodies of the gateway, which the
package reads as its own requests and writes again.
"""

import json
import sys
import uuid

import requests
from yookassa import Configuration, Payment, Refund, Settings
from yookassa.domain.exceptions import (
    BadRequestError,
    NotFoundError,
    UnauthorizedError,
)
from yookassa.domain.request import PaymentRequest, RefundRequest

url, bodies = sys.argv[1], json.loads(sys.argv[2])
Configuration.configure("100500", "test_of-the-stand-in", api_url=url)


def rub(value):
    return {"value": value, "currency": "RUB"}


def wanted(value="1500.50", **more):
    item = {
        "description": "Билет",
        "quantity": "1.00",
        "amount": rub(value),
        "vat_code": 11,
        "payment_mode": "full_payment",
        "payment_subject": "service",
    }
    receipt = {"customer": {"email": "buyer@example.com"}, "items": [item]}
    confirmation = {"type": "redirect", "return_url": "https://shop.example/return"}
    order = {"amount": rub(value), "capture": False, "confirmation": confirmation}
    return order | {"description": "Билет", "receipt": receipt} | more


def press(payment, button):
    page = payment.confirmation.confirmation_url
    answer = requests.post(page, data={"press": button}, allow_redirects=False)
    return answer.headers.get("Location")


def refused(kind, call):
    try:
        call()
    except kind as error:
        return error.args[0]["parameter"] if "parameter" in error.args[0] else True
    return False


def listed(kind, **query):
    ids, cursor = [], None
    while True:
        page = kind.list({**query, "limit": 1, **({"cursor": cursor} if cursor else {})})
        ids += [each.id for each in page.items]
        cursor = page.next_cursor
        if not cursor:
            return ids


def written(kind, body):
    request = kind(body)
    request.validate()
    return json.loads(json.dumps(dict(request)))


said = {}
me = Settings.get_account_settings()
said["me"] = [me.account_id, me.status, me.test]

key = str(uuid.uuid4())
made = Payment.create(wanted(metadata={"order": "7"}), key)
again = Payment.create(wanted(metadata={"order": "7"}), key)
said["created"] = [made.status, made.paid, str(made.amount.value), made.metadata["order"]]
said["once"] = made.id == again.id
said["other_body"] = refused(BadRequestError, lambda: Payment.create(wanted("2.00"), key))
said["returned"] = press(made, "pay")
held = Payment.find_one(made.id)
said["held"] = [held.status, held.paid, held.payment_method.card.last4]
taken = Payment.capture(made.id, {"amount": rub("1500.50")})
said["taken"] = [taken.status, str(taken.income_amount.value), taken.refundable]
said["taken_again"] = refused(BadRequestError, lambda: Payment.capture(made.id))

part = {"payment_id": made.id, "amount": rub("500.50"), "description": "Не подошло"}
part["receipt"] = wanted("500.50")["receipt"]
back = Refund.create(part)
said["refunded"] = [back.status, str(back.amount.value), back.payment_id == made.id]
said["found"] = Refund.find_one(back.id).status
whole = {"payment_id": made.id, "amount": rub("1500.50")}
said["too_much"] = refused(BadRequestError, lambda: Refund.create(whole))
said["refunds"] = listed(Refund, payment_id=made.id) == [back.id]

other = Payment.create(wanted("2.00"))
press(other, "pay")
gone = Payment.cancel(other.id)
said["canceled"] = [gone.status, gone.cancellation_details.reason]
third = Payment.create(wanted("3.00"))
press(third, "decline")
declined = Payment.find_one(third.id)
said["declined"] = [declined.status, declined.cancellation_details.party]
ids = listed(Payment)
said["listed"] = ids[:3] == [third.id, other.id, made.id]
said["waiting"] = third.id in listed(Payment, status="canceled")

said["unknown"] = refused(NotFoundError, lambda: Payment.find_one(str(uuid.uuid4())))
said["bodies"] = [written(PaymentRequest, each) for each in bodies["payments"]]
said["refund_bodies"] = [written(RefundRequest, each) for each in bodies["refunds"]]
Configuration.configure("100500", "test_wrong", api_url=url)
said["wrong_key"] = refused(UnauthorizedError, Settings.get_account_settings)
print(json.dumps(said))
