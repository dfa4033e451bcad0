-- One authorisation pays for one invoice: an acquirer's wrong answer, or an operator's slip, makes no second one PAID.
CREATE UNIQUE INDEX "payment_attempts_one_capture" ON "payment_attempts" ("provider", "authorisation_id")
  WHERE "status" IN ('capturing', 'captured');
