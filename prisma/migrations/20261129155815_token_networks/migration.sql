-- Expands only: the version before neither reads nor writes what is new here. While its processes run beside
-- new ones, they let in a token from everywhere, whatever its networks.

-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "last_used_for" TEXT,
ADD COLUMN     "last_used_from" INET,
ADD COLUMN     "networks" INET[] DEFAULT ARRAY[]::INET[];
