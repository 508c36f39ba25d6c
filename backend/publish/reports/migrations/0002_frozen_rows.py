"""What was made, and what came of making it again, is refused any change by the database itself."""

from django.db import migrations

from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_initial")]
    operations = [FreezeRows("Report"), FreezeRows("ReportCheck")]
