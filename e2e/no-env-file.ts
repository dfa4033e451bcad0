// A developer's .env is for their own gateway: the tests set what theirs are to know.
process.env.ENV_FILE = 'off';
// Next reads it by itself unless somebody has done so before.
process.env.__NEXT_PROCESSED_ENV = 'true';
