-- What every attempt writes besides its row: one entry of an index and one check fewer.

-- In the order in which results take them.
LOCK TABLE "callback_attempts", "callbacks" IN ACCESS EXCLUSIVE MODE;

-- An attempt is found by its invoice and number. Its id only counts how many there were, which
-- its sequence knows.
ALTER TABLE "callback_attempts" DROP CONSTRAINT "callback_attempts_pkey",
ADD CONSTRAINT "callback_attempts_pkey" PRIMARY KEY USING INDEX "callback_attempts_invoice_id_number_key";

-- An attempt is written in the transaction that has just written its callback, so that the check
-- of a foreign key could only find what is there. No callback is ever deleted, which was a rule of
-- the foreign key's for those with attempts and is one for all now.
ALTER TABLE "callback_attempts" DROP CONSTRAINT "callback_attempts_invoice_id_fkey";
CREATE FUNCTION refuse_delete_of_callback() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'callback of % is kept for ever', OLD.invoice_id USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "callbacks_kept" BEFORE DELETE OR UPDATE OF "invoice_id" ON "callbacks"
  FOR EACH ROW EXECUTE FUNCTION refuse_delete_of_callback();
