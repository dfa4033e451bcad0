-- One authorisation is one attempt's from its first challenge to its end: an acquirer that gives it to two,
-- or an operator's slip, makes no second one PAID and has no other's money voided.
-- The strongest lock first: a payment that has read the table already would wait for the other's end
-- while this waited for it.
DROP INDEX "payment_attempts_one_capture";
CREATE UNIQUE INDEX "payment_attempts_one_holder" ON "payment_attempts" ("provider", "authorisation_id")
  WHERE "status" IN ('challenge', 'capturing', 'captured', 'voiding');
