-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN     "return_asked_at" TIMESTAMPTZ(3);
