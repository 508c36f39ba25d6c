-- Run once by the postgres image, when its volume is new: Label Studio keeps its tables apart from Attune's.
CREATE DATABASE label_studio;
