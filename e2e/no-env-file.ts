// A developer's .env is for their own gateway: the tests choose their own settings.
process.env.ENV_FILE = 'off';
// Next reads it by itself unless it has been done before.
process.env.__NEXT_PROCESSED_ENV = 'true';
