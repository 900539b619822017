-- +goose Up
-- People are found by one key of their names (internal/platform/names), whatever their
-- case, accents, apostrophes, hyphens and spaces. Jobs fill it in; until a row has it,
-- the keys of before find it, whose indexes hold only such rows and become empty.
ALTER TABLE bills ADD COLUMN patient_name_key {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX bills_person ON bills (ftin, patient_name_key, patient_birth_date, begin_service_date) WHERE patient_name_key <> '';
DROP INDEX bills_claimant;
CREATE INDEX bills_claimant ON bills (ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date)
    WHERE patient_name_key = '';

ALTER TABLE claims ADD COLUMN claimant_name_key {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX claims_person ON claims (claimant_birth_date, date_of_injury, claimant_name_key) WHERE claimant_name_key <> '';
DROP INDEX claims_claimant;
CREATE INDEX claims_claimant ON claims (claimant_last_name_key, claimant_birth_date, date_of_injury, claimant_first_name_key)
    WHERE claimant_name_key = '';

-- Of users parts of names are looked for: letters, and the beginnings of words.
ALTER TABLE users ADD COLUMN first_name_letters {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN last_name_letters {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN name_words {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX users_first_letters ON users ((first_name_letters || last_name_letters)) WHERE name_words <> '';
CREATE INDEX users_last_letters ON users ((last_name_letters || first_name_letters)) WHERE name_words <> '';
DROP INDEX users_first_name;
DROP INDEX users_last_name;
CREATE INDEX users_first_name ON users (first_name_key) WHERE name_words = '';
CREATE INDEX users_last_name ON users (last_name_key) WHERE name_words = '';

-- +goose Down
DROP INDEX users_last_name;
DROP INDEX users_first_name;
CREATE INDEX users_last_name ON users (last_name_key);
CREATE INDEX users_first_name ON users (first_name_key);
DROP INDEX users_last_letters;
DROP INDEX users_first_letters;
ALTER TABLE users DROP COLUMN name_words;
ALTER TABLE users DROP COLUMN last_name_letters;
ALTER TABLE users DROP COLUMN first_name_letters;
DROP INDEX claims_claimant;
CREATE INDEX claims_claimant ON claims (claimant_last_name_key, claimant_birth_date, date_of_injury, claimant_first_name_key);
DROP INDEX claims_person;
ALTER TABLE claims DROP COLUMN claimant_name_key;
DROP INDEX bills_claimant;
CREATE INDEX bills_claimant ON bills (ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date);
DROP INDEX bills_person;
ALTER TABLE bills DROP COLUMN patient_name_key;
