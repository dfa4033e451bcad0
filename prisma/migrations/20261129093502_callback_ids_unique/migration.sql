-- As the one before; changes of an invoice's status wait for it.

-- CreateIndex
CREATE UNIQUE INDEX "callbacks_id_key" ON "callbacks"("id");
