BEGIN TRANSACTION;
CREATE TABLE daily (day TEXT NOT NULL, game TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (day, game)) WITHOUT ROWID;
INSERT INTO "daily" VALUES('2026-11-27','orbito','right');
INSERT INTO "daily" VALUES('2026-11-28','tobito','wrong');
CREATE TABLE drill (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, position TEXT NOT NULL, seat INTEGER NOT NULL,
  origin TEXT NOT NULL, played TEXT NOT NULL, fsrs_state TEXT NOT NULL, due TEXT NOT NULL,
  tries INTEGER NOT NULL, solved INTEGER NOT NULL, changed TEXT NOT NULL DEFAULT '',
  UNIQUE (game, position, seat)
);
INSERT INTO "drill" VALUES(1,'orbito','B.../..../..../..W. W',0,'mistake','a2','{"card_id": 0, "state": 1, "step": 0, "stability": 0.212, "difficulty": 6.4133, "due": "2026-11-29T10:06:04.736310+00:00", "last_review": "2026-11-29T10:05:04.736310+00:00"}','2026-11-29T10:06:04.736310+00:00',1,0,'2026-11-29T10:05:04.736310+00:00');
INSERT INTO "drill" VALUES(2,'pokemon','xxx/xxx/bxx 221222 2',1,'only-move','','{"card_id": 0, "state": 1, "step": 0, "stability": 0.212, "difficulty": 6.4133, "due": "2026-11-28T22:14:25.924863+00:00", "last_review": "2026-11-28T22:13:25.924863+00:00"}','2026-11-28T22:14:25.924863+00:00',1,0,'2026-11-28T22:13:25.924863+00:00');
INSERT INTO "drill" VALUES(3,'ayoayo','4,4,4,4,4,4/4,4,4,4,4,4 0-0 0',0,'mistake','1','{"card_id": 0, "state": 1, "step": 0, "stability": null, "difficulty": null, "due": "2026-11-28T22:13:45.205330+00:00", "last_review": null}','2026-11-28T22:13:45.205330+00:00',0,0,'2026-11-28T22:13:45.205330+00:00');
INSERT INTO "drill" VALUES(4,'tobito','TTT/.../.../.../BBB T',0,'advice','','{"card_id": 0, "state": 1, "step": 0, "stability": 0.212, "difficulty": 6.4133, "due": "2026-11-28T22:20:25.924863+00:00", "last_review": "2026-11-28T22:19:25.924863+00:00"}','2026-11-28T22:20:25.924863+00:00',2,1,'2026-11-28T22:19:25.924863+00:00');
CREATE TABLE game (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL, changed TEXT NOT NULL,
  start TEXT NOT NULL, house_rule TEXT NOT NULL, players TEXT NOT NULL, own_seat INTEGER, people INTEGER NOT NULL,
  setup TEXT NOT NULL, imported INTEGER NOT NULL, training INTEGER NOT NULL,
  current_node INTEGER NOT NULL, undone TEXT NOT NULL, pending TEXT NOT NULL, agreed TEXT,
  result TEXT NOT NULL, winner INTEGER, reason TEXT NOT NULL, score TEXT, plies INTEGER NOT NULL
, decisions INTEGER, kept INTEGER, mistakes INTEGER, accuracy REAL, changed_hands INTEGER NOT NULL DEFAULT 0);
INSERT INTO "game" VALUES(1,'tobito','2026-11-28T22:13:19.034585+00:00','2026-11-28T22:13:19.136056+00:00','TTT/.../.../.../BBB T','','[["human", "", 100], ["engine", "practical", 0]]',0,1,'{"options":{},"seed":291965,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"you used a hint","rated":null,"clock":"","left":null,"challenge_id":""}',0,1,4,'[]','[]',NULL,'*',NULL,'',NULL,4,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(2,'orbito','2026-11-28T22:13:22.354588+00:00','2026-11-28T22:13:22.426965+00:00','..../..../..../.... W','','[["human", "", 100], ["engine", "practical", 0]]',0,1,'{"options":{},"seed":170282,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"","rated":{"level":"newcomer","score":0.0,"ended":"2026-11-28T22:13:22.426438+00:00"},"clock":"","left":null,"challenge_id":""}',0,1,4,'[]','[]','{"winner": 1, "score": null, "reason": "White resigned"}','0-1',1,'White resigned',NULL,4,1,0,1,9.5278191429305927329e+00,0);
INSERT INTO "game" VALUES(3,'ayoayo','2026-11-28T22:13:44.308356+00:00','2026-11-28T22:13:45.188006+00:00','4,4,4,4,4,4/4,4,4,4,4,4 0-0 0','','[["human", "", 100], ["engine", "practical", 0]]',0,1,'{"options":{},"seed":569162,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"","rated":{"level":"newcomer","score":0.0,"ended":"2026-11-28T22:13:45.187719+00:00"},"clock":"","left":null,"challenge_id":""}',0,1,4,'[]','[]','{"winner": 1, "score": null, "reason": "First resigned"}','0-1',1,'First resigned',NULL,4,1,0,1,4.77625395726086878758e+01,0);
INSERT INTO "game" VALUES(4,'lightriders','2026-11-28T22:13:49.755093+00:00','2026-11-28T22:13:52.518283+00:00','16 16 .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0,.,.,.,.,.,.,.,.,1,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.','','[["human", "", 100], ["engine", "engine", 0]]',0,1,'{"options":{},"seed":370411,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"","rated":null,"clock":"","left":null,"challenge_id":""}',0,1,2,'[]','[[1, 2]]',NULL,'*',NULL,'',NULL,2,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(5,'pokemon','2026-11-28T22:13:58.396413+00:00','2026-11-28T22:13:58.435500+00:00','xxx/xxx/xxx 222222 1','','[["human", "", 100], ["engine", "practical", 0]]',0,1,'{"options":{},"seed":591767,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"","rated":null,"clock":"","left":null,"challenge_id":""}',0,1,2,'[]','[]',NULL,'*',NULL,'',NULL,2,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(6,'pokemon','2026-11-28T22:13:58.396413+00:00','2026-11-28T22:13:58.435500+00:00','xxx/xxx/xxx 222222 1','','[["human", "", 100], ["elsewhere", "", 100, "bob"]]',0,1,'{"options":{},"seed":591767,"training":true,"on_bad":"ask","objective":"result","names":["",""],"imported":false,"tags":{},"unrated":"","rated":null,"clock":"","left":null,"challenge_id":"abcdefgh2345mnop"}',0,1,2,'[]','[]',NULL,'*',NULL,'',NULL,2,NULL,NULL,NULL,NULL,0);
CREATE TABLE lesson (game TEXT PRIMARY KEY, steps INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "lesson" VALUES('tobito',3);
CREATE TABLE milestone (game TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, name)) WITHOUT ROWID;
INSERT INTO "milestone" VALUES('tobito','rules');
CREATE TABLE node (
  game INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
  id INTEGER NOT NULL, parent INTEGER, place INTEGER NOT NULL, move TEXT NOT NULL,
  judgements TEXT NOT NULL, attempts TEXT NOT NULL, hinted TEXT NOT NULL, comment TEXT NOT NULL, players TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (game, id)
) WITHOUT ROWID;
INSERT INTO "node" VALUES(1,0,NULL,0,'','{}','{"0": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(1,1,0,0,'b5b4','{"0": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','{}','[]','','[["human", "", 100], ["engine", "practical", 0]]');
INSERT INTO "node" VALUES(1,2,1,0,'c1b2','{"1": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','{"0": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','[0]','','');
INSERT INTO "node" VALUES(1,3,2,0,'b4b3','{"0": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(1,4,3,0,'b2b4+c3','{"1": {"grade": "forced", "before": [0, null, null], "after": [0, null, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(2,0,NULL,0,'','{}','{"0": {"grade": "forced", "before": [1, 16, null], "after": [1, 16, null]}}','[]','','');
INSERT INTO "node" VALUES(2,1,0,0,'a1','{"0": {"grade": "forced", "before": [1, 16, null], "after": [1, 16, null]}}','{}','[]','','[["human", "", 100], ["engine", "practical", 0]]');
INSERT INTO "node" VALUES(2,2,1,0,'b4','{"1": {"grade": "forced", "before": [-1, 15, null], "after": [-1, 15, null]}}','{"0": {"grade": "missed-win", "before": [1, 14, null], "after": [0, null, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(2,3,2,0,'a2','{"0": {"grade": "missed-win", "before": [1, 14, null], "after": [0, null, null], "flagged": true}}','{}','[]','','');
INSERT INTO "node" VALUES(2,4,3,0,'a1b1d3','{"1": {"grade": "blunder", "before": [0, null, null], "after": [-1, 12, null], "flagged": true}}','{}','[]','','');
INSERT INTO "node" VALUES(3,0,NULL,0,'','{}','{"0": {"grade": "mistake", "before": [-1, null, -4], "after": [-1, null, -12], "flagged": true, "points_lost": 8}}','[]','','');
INSERT INTO "node" VALUES(3,1,0,0,'1','{"0": {"grade": "mistake", "before": [-1, null, -4], "after": [-1, null, -12], "flagged": true, "points_lost": 8}}','{}','[]','','[["human", "", 100], ["engine", "practical", 0]]');
INSERT INTO "node" VALUES(3,2,1,0,'2','{"1": {"grade": "blunder", "before": [1, null, 12], "after": [-1, null, -4], "flagged": true, "points_lost": 16}}','{"0": {"grade": "forced", "before": [1, null, 0], "after": [1, null, 0]}}','[]','','');
INSERT INTO "node" VALUES(3,3,2,0,'2','{"0": {"grade": "forced", "before": [1, null, 0], "after": [1, null, 0]}}','{}','[]','','');
INSERT INTO "node" VALUES(3,4,3,0,'2','{"1": {"grade": "forced", "before": [-1, null, 4], "after": [-1, null, 4]}}','{}','[]','','');
INSERT INTO "node" VALUES(4,0,NULL,0,'','{}','{"0": {"grade": "inaccuracy", "regret": 0.15908654, "expected": 0.0, "estimate": true, "uncertain": true}}','[]','','');
INSERT INTO "node" VALUES(4,1,0,0,'ll','{"0": {"grade": "inaccuracy", "regret": 0.15908654, "expected": 0.0, "estimate": true, "uncertain": true}, "1": {"grade": "best", "expected": -0.0, "estimate": true}}','{"0": {"grade": "inaccuracy", "regret": 0.078621125, "expected": -0.533358430043656, "estimate": true}}','[]','','[["human", "", 100], ["engine", "engine", 0]]');
INSERT INTO "node" VALUES(4,2,1,0,'uu','{"0": {"grade": "inaccuracy", "regret": 0.078621125, "expected": -0.533358430043656, "estimate": true}, "1": {"grade": "inaccuracy", "regret": 0.107907652, "expected": 0.533358430043656, "estimate": true}}','{}','[]','','');
INSERT INTO "node" VALUES(5,0,NULL,0,'','{}','{"0": {"grade": "blunder", "before": [0, null, null], "after": [-1, 12, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(5,1,0,0,'b@11','{"0": {"grade": "blunder", "before": [0, null, null], "after": [-1, 12, null], "flagged": true}}','{}','[]','','[["human", "", 100], ["engine", "practical", 0]]');
INSERT INTO "node" VALUES(5,2,1,0,'A@12','{"1": {"grade": "best", "before": [1, 11, null], "after": [1, 11, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(6,0,NULL,0,'','{}','{"0": {"grade": "blunder", "before": [0, null, null], "after": [-1, 12, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(6,1,0,0,'b@11','{"0": {"grade": "blunder", "before": [0, null, null], "after": [-1, 12, null], "flagged": true}}','{}','[]','','[["human", "", 100], ["elsewhere", "", 100, "bob"]]');
INSERT INTO "node" VALUES(6,2,1,0,'A@12','{"1": {"grade": "best", "before": [1, 11, null], "after": [1, 11, null]}}','{}','[]','','');
CREATE TABLE practice (
  day TEXT NOT NULL, game TEXT NOT NULL, origin TEXT NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  PRIMARY KEY (day, game, origin)
) WITHOUT ROWID
;
INSERT INTO "practice" VALUES('2026-11-28','pokemon','only-move',1,0);
INSERT INTO "practice" VALUES('2026-11-28','tobito','advice',2,1);
INSERT INTO "practice" VALUES('2026-11-29','orbito','mistake',1,0);
CREATE INDEX game_by_change ON game (changed DESC, id DESC);
CREATE INDEX game_by_result ON game (result, changed DESC, id DESC);
CREATE INDEX drill_by_due ON drill (due)
;
COMMIT;
PRAGMA user_version = 12;
