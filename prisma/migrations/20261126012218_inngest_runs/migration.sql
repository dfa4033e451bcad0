-- CreateTable
CREATE TABLE "inngest_runs" (
    "function_id" TEXT NOT NULL,
    "runs" BIGINT NOT NULL,

    CONSTRAINT "inngest_runs_pkey" PRIMARY KEY ("function_id")
);
