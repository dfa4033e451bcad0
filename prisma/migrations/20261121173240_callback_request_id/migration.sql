-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "request_id" TEXT;
