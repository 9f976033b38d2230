BEGIN TRANSACTION;
CREATE TABLE daily (day TEXT NOT NULL, game TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (day, game)) WITHOUT ROWID
;
INSERT INTO "daily" VALUES('2026-01-01','tobito','hinted');
CREATE TABLE drill (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, position TEXT NOT NULL, seat INTEGER NOT NULL,
  origin TEXT NOT NULL, played TEXT NOT NULL, card TEXT NOT NULL, due TEXT NOT NULL,
  tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  UNIQUE (game, position, seat)
);
INSERT INTO "drill" VALUES(1,'tobito','TTT/.../.B./.../B.B B',1,'hold','','{"card_id": 0, "state": 1, "step": 1, "stability": 2.3065, "difficulty": 2.118103970459016, "due": "2026-01-01T12:23:00+00:00", "last_review": "2026-01-01T12:13:00+00:00"}','2026-01-01T12:23:00.000000+00:00',1,1);
INSERT INTO "drill" VALUES(2,'tobito','TTT/.../.../.../BBB T',0,'mistake','a5b4','{"card_id": 0, "state": 1, "step": 0, "stability": null, "difficulty": null, "due": "2026-01-01T12:12:00+00:00", "last_review": null}','2026-01-01T12:12:00.000000+00:00',0,0);
CREATE TABLE game (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL, changed TEXT NOT NULL,
  start TEXT NOT NULL, house_rule TEXT NOT NULL, chairs TEXT NOT NULL, own INTEGER, people INTEGER NOT NULL,
  setup TEXT NOT NULL, imported INTEGER NOT NULL, training INTEGER NOT NULL,
  at INTEGER NOT NULL, undone TEXT NOT NULL, pending TEXT NOT NULL, agreed TEXT,
  result TEXT NOT NULL, winner INTEGER, reason TEXT NOT NULL, score TEXT, plies INTEGER NOT NULL
, decisions INTEGER, kept INTEGER, mistakes INTEGER, accuracy REAL, changed_hands INTEGER NOT NULL DEFAULT 0);
INSERT INTO "game" VALUES(1,'tobito','2026-01-01T12:00:00.000000+00:00','2026-01-01T12:00:00.000000+00:00','TTT/.../.../.../BBB T','no-repetitions','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,6,'[]','[]',NULL,'*',NULL,'',NULL,5,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(2,'tobito','2026-01-01T12:01:00.000000+00:00','2026-01-01T12:01:00.000000+00:00','TTT/.../.../.../BBB T','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "Top resigned"}','0-1',1,'Top resigned',NULL,2,0,0,0,NULL,0);
INSERT INTO "game" VALUES(3,'haneto','2026-01-01T12:02:00.000000+00:00','2026-01-01T12:02:00.000000+00:00','TTT/.../.N./.../BBB T','','[["engine", "x", 0], ["human", "", 100]]',1,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,2,'[4]','[]',NULL,'*',NULL,'',NULL,2,NULL,NULL,NULL,NULL,1);
INSERT INTO "game" VALUES(4,'haneto','2026-01-01T12:03:00.000000+00:00','2026-01-01T12:03:00.000000+00:00','TTT/.../.N./.../BBB T','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "Top resigned"}','0-1',1,'Top resigned',NULL,2,0,0,0,NULL,0);
INSERT INTO "game" VALUES(5,'orbito','2026-01-01T12:04:00.000000+00:00','2026-01-01T12:04:00.000000+00:00','..../..../..../.... W','','[["human", "", 100], ["human", "", 100]]',NULL,2,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,6,'[]','[]',NULL,'*',NULL,'',NULL,4,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(6,'orbito','2026-01-01T12:05:00.000000+00:00','2026-01-01T12:05:00.000000+00:00','..../..../..../.... W','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "White resigned"}','0-1',1,'White resigned',NULL,2,0,0,0,NULL,0);
INSERT INTO "game" VALUES(7,'pokemon','2026-01-01T12:06:00.000000+00:00','2026-01-01T12:06:00.000000+00:00','xxx/xxx/xxx 222222 1','','[["human", "", 100], ["engine", "x", 0]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,7,'[]','[]',NULL,'*',NULL,'',NULL,2,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(8,'pokemon','2026-01-01T12:07:00.000000+00:00','2026-01-01T12:07:00.000000+00:00','xxx/xxx/xxx 222222 1','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "Squirtle resigned"}','0-1',1,'Squirtle resigned',NULL,2,0,0,0,NULL,0);
INSERT INTO "game" VALUES(9,'ayoayo','2026-01-01T12:08:00.000000+00:00','2026-01-01T12:08:00.000000+00:00','4,4,4,4,4,4/4,4,4,4,4,4 0-0 0','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,6,'[]','[]',NULL,'*',NULL,'',NULL,6,NULL,NULL,NULL,NULL,0);
INSERT INTO "game" VALUES(10,'ayoayo','2026-01-01T12:09:00.000000+00:00','2026-01-01T12:09:00.000000+00:00','4,4,4,4,4,4/4,4,4,4,4,4 0-0 0','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "First resigned"}','0-1',1,'First resigned',NULL,2,0,0,0,NULL,0);
INSERT INTO "game" VALUES(11,'lightriders','2026-01-01T12:10:00.000000+00:00','2026-01-01T12:10:00.000000+00:00','16 16 .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0,.,.,.,.,1,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.','','[["engine", "x", 0], ["human", "", 100]]',1,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": null, "clock": "", "left": null, "table": ""}',0,1,4,'[]','[]',NULL,'*',NULL,'',NULL,3,NULL,NULL,NULL,NULL,1);
INSERT INTO "game" VALUES(12,'lightriders','2026-01-01T12:11:00.000000+00:00','2026-01-01T12:11:00.000000+00:00','16 16 .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0,.,.,.,.,.,.,1,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.','','[["human", "", 100], ["engine", "", 70]]',0,1,'{"options": {}, "seed": 0, "training": true, "on_bad": "ask", "objective": "result", "names": ["", ""], "imported": false, "tags": {}, "unrated": "", "rated": {"level": "novice", "score": 1.0, "ended": "2026-01-01"}, "clock": "", "left": null, "table": ""}',0,1,2,'[]','[]','{"winner": 1, "score": null, "reason": "Rider 0 resigned"}','0-1',1,'Rider 0 resigned',NULL,2,0,0,0,NULL,0);
CREATE TABLE lesson (game TEXT PRIMARY KEY, steps INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "lesson" VALUES('tobito',3);
CREATE TABLE node (
  game INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
  id INTEGER NOT NULL, parent INTEGER, place INTEGER NOT NULL, move TEXT NOT NULL,
  judgements TEXT NOT NULL, attempts TEXT NOT NULL, hinted TEXT NOT NULL, comment TEXT NOT NULL, players TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (game, id)
) WITHOUT ROWID;
INSERT INTO "node" VALUES(1,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(1,1,0,0,'b5a4','{}','{"1": {"grade": "missed-win", "before": [1, 6, null], "after": [0, null, null]}}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(1,2,1,0,'a1b2','{}','{"0": {"grade": "good", "before": [1, 2, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(1,3,2,0,'c5b4','{}','{"0": {"grade": "blunder", "before": [1, 1, null], "after": [0, null, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(1,4,3,0,'b2c3','{"0": {"grade": "good", "before": [1, 0, null], "after": [0, null, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(1,5,4,1,'a5a3','{}','{"0": {"grade": "forced", "before": [1, 7, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(1,6,4,0,'a5b5','{"1": {"grade": "sound", "before": [1, 3, null], "after": [0, null, null]}}','{}','[1]','é','');
INSERT INTO "node" VALUES(2,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(2,1,0,0,'a5b4','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(2,2,1,0,'a1a2','{}','{}','[]','','');
INSERT INTO "node" VALUES(3,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(3,1,0,0,'b5b4','{"0": {"grade": "missed-win", "before": [1, 7, null], "after": [0, null, null]}}','{}','[]','','[["human", "", 100], ["engine", "x", 0]]');
INSERT INTO "node" VALUES(3,2,1,0,'b1a2','{"0": {"grade": "forced", "before": [1, 7, null], "after": [0, null, null], "flagged": true}}','{}','[]','','');
INSERT INTO "node" VALUES(3,3,2,1,'b4c4','{}','{"0": {"grade": "blunder", "before": [1, 0, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(3,4,2,0,'c5c4','{}','{"0": {"grade": "missed-win", "before": [1, 7, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(4,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(4,1,0,0,'a5b4','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(4,2,1,0,'a1a2','{}','{}','[]','','');
INSERT INTO "node" VALUES(5,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(5,1,0,0,'b2','{"0": {"grade": "good", "before": [1, 4, null], "after": [0, null, null]}}','{}','[]','','[["human", "", 100], ["human", "", 100]]');
INSERT INTO "node" VALUES(5,2,1,0,'c2d2c4','{}','{"0": {"grade": "inaccuracy", "before": [1, 8, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(5,3,2,1,'b4a4d4','{"0": {"grade": "mistake", "before": [1, 6, null], "after": [0, null, null]}}','{}','[0]','it''s "so"
','');
INSERT INTO "node" VALUES(5,4,3,0,'c2','{"1": {"grade": "blunder", "before": [1, 8, null], "after": [0, null, null], "flagged": true}}','{}','[]','','');
INSERT INTO "node" VALUES(5,5,2,0,'d2','{}','{"1": {"grade": "missed-win", "before": [1, 2, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(5,6,5,0,'d3c3b2','{}','{"1": {"grade": "missed-win", "before": [1, 8, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(6,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(6,1,0,0,'a1','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(6,2,1,0,'a1','{}','{}','[]','','');
INSERT INTO "node" VALUES(7,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(7,1,0,2,'c@10','{}','{"1": {"grade": "missed-win", "before": [1, 1, null], "after": [0, null, null]}}','[]','','[["human", "", 100], ["engine", "x", 0]]');
INSERT INTO "node" VALUES(7,2,1,0,'B@22','{}','{"1": {"grade": "missed-win", "before": [1, 8, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(7,3,2,0,'c@21','{"0": {"grade": "best", "before": [1, 8, null], "after": [0, null, null], "flagged": true}}','{}','[0]','','');
INSERT INTO "node" VALUES(7,4,0,1,'b@20','{}','{"0": {"grade": "mistake", "before": [1, 6, null], "after": [0, null, null], "flagged": true}}','[]','','[["human", "", 100], ["engine", "x", 0]]');
INSERT INTO "node" VALUES(7,5,4,0,'B@01','{}','{"1": {"grade": "missed-win", "before": [1, 3, null], "after": [0, null, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(7,6,0,0,'c@12','{"1": {"grade": "mistake", "before": [1, 3, null], "after": [0, null, null]}}','{}','[]','','[["human", "", 100], ["engine", "x", 0]]');
INSERT INTO "node" VALUES(7,7,6,0,'C@01','{"0": {"grade": "inaccuracy", "before": [1, 8, null], "after": [0, null, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(8,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(8,1,0,0,'a@00','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(8,2,1,0,'B@00','{}','{}','[]','','');
INSERT INTO "node" VALUES(9,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(9,1,0,0,'4','{"1": {"grade": "missed-win", "before": [1, 2, null], "after": [0, null, null], "flagged": true}}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(9,2,1,0,'1','{}','{"0": {"grade": "sound", "before": [1, 8, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(9,3,2,0,'3','{}','{"1": {"grade": "good", "before": [1, 4, null], "after": [0, null, null], "flagged": true}}','[]','','');
INSERT INTO "node" VALUES(9,4,3,0,'5','{"0": {"grade": "inaccuracy", "before": [1, 6, null], "after": [0, null, null]}}','{}','[]','','');
INSERT INTO "node" VALUES(9,5,4,0,'5','{}','{"0": {"grade": "good", "before": [1, 0, null], "after": [0, null, null]}}','[]','','');
INSERT INTO "node" VALUES(9,6,5,0,'4','{}','{"0": {"grade": "missed-win", "before": [1, 2, null], "after": [0, null, null], "flagged": true}}','[1]','é','');
INSERT INTO "node" VALUES(10,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(10,1,0,0,'1','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(10,2,1,0,'1','{}','{}','[]','','');
INSERT INTO "node" VALUES(11,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(11,1,0,0,'uu','{"0": {"grade": "missed-win", "before": [1, 3, null], "after": [0, null, null]}}','{"0": {"grade": "sound", "before": [1, 6, null], "after": [0, null, null], "flagged": true}}','[]','','[["human", "", 100], ["engine", "x", 0]]');
INSERT INTO "node" VALUES(11,2,1,0,'rl','{"0": {"grade": "best", "before": [1, 2, null], "after": [0, null, null], "flagged": true}, "1": {"grade": "best", "before": [1, 0, null], "after": [0, null, null], "flagged": true}}','{}','[1]','','');
INSERT INTO "node" VALUES(11,3,2,1,'du','{}','{"0": {"grade": "good", "before": [1, 0, null], "after": [0, null, null]}}','[]','','[["engine", "x", 0], ["human", "", 100]]');
INSERT INTO "node" VALUES(11,4,2,0,'dl','{"0": {"grade": "mistake", "before": [1, 0, null], "after": [0, null, null], "flagged": true}}','{}','[0]','','[["engine", "x", 0], ["human", "", 100]]');
INSERT INTO "node" VALUES(12,0,NULL,0,'','{}','{}','[]','','');
INSERT INTO "node" VALUES(12,1,0,0,'uu','{}','{}','[]','','[["human", "", 100], ["engine", "", 70]]');
INSERT INTO "node" VALUES(12,2,1,0,'uu','{}','{}','[]','','');
CREATE TABLE practice (
  day TEXT NOT NULL, game TEXT NOT NULL, origin TEXT NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  PRIMARY KEY (day, game, origin)
) WITHOUT ROWID
;
INSERT INTO "practice" VALUES('2026-01-01','tobito','hold',1,1);
CREATE INDEX game_by_change ON game (changed DESC, id DESC);
CREATE INDEX game_by_result ON game (result, changed DESC, id DESC);
CREATE INDEX drill_by_due ON drill (due)
;
COMMIT;
PRAGMA user_version = 8;
