-- Attempts that took no step of the schedule. No row is written anew, and the version before, which
-- does not count them, leaves it at 0.

-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "extra_attempts" INTEGER NOT NULL DEFAULT 0;
