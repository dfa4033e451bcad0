-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN     "challenge_url" TEXT;
