-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "legal_address" TEXT,
ADD COLUMN     "legal_name" TEXT,
ADD COLUMN     "refund_policy_url" TEXT,
ADD COLUMN     "support_email" TEXT,
ADD COLUMN     "support_phone" TEXT,
ADD COLUMN     "support_telegram" TEXT,
ADD COLUMN     "tax_number" TEXT,
ADD COLUMN     "terms_url" TEXT;
