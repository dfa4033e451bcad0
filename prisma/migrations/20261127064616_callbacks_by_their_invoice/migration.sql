-- DropForeignKey
ALTER TABLE "callbacks" DROP CONSTRAINT "callbacks_merchant_id_fkey";
