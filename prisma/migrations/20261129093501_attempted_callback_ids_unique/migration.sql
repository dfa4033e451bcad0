-- Made while next to nothing has an id: the table is read once, and there is nothing to sort. Results wait for that long.

-- CreateIndex
CREATE UNIQUE INDEX "callback_attempts_callback_id_number_key" ON "callback_attempts"("callback_id", "number");
