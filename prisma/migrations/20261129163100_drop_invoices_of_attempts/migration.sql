-- What the version before neither reads nor writes: it finds attempts and leases by their callbacks. No row is read
-- or written anew.

-- AlterTable
ALTER TABLE "callback_attempts" DROP COLUMN "invoice_id";

-- AlterTable
ALTER TABLE "callback_leases" DROP COLUMN "invoice_ids";
