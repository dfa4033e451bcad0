-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "token_hash_before" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_before_key" ON "invitations"("token_hash_before");
